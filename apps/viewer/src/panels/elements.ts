// What the model's file says, element by element, with a search; hover finds it in the 3-D view.
import type { Element, Model } from '../contract';
import { make, name_of, section, words_of } from '../dom';
import { numbers_text } from '../format';
import { matches } from '../plots/channel_search';

export interface Elements { element: HTMLElement; show: (name: string | null) => void }

export function elements(model: Model, find: (element: Element | null) => void): Elements | null {
  if (model.elements.length === 0) return null;
  const input = make('input', { type: 'search', placeholder: 'find an element', 'aria-label': 'find an element', autocomplete: 'off', spellcheck: 'false' });
  const suspicious = (element: Element): boolean => model.suspects.some((suspect) => element.name !== '' && suspect.text.includes(`'${element.name}'`));
  const rows = model.elements.map((element) => {
    const row = make('tr', { tabindex: '0', class: suspicious(element) ? 'suspect' : undefined },
      name_of(element.name, 'td'), name_of(element.kind ?? '', 'td'),
      make('td', { class: 'value' }, element.line ? String(element.line) : ''), words_of(numbers_text(element.text ?? ''), 'td'));
    if (element.file) row.title = element.file;
    row.addEventListener('pointerenter', () => find(element));
    row.addEventListener('pointerleave', () => find(null));
    row.addEventListener('focus', () => find(element));
    row.addEventListener('blur', () => find(null));
    return { element, row };
  });
  const count = make('span', { class: 'count' });
  const filter = (): void => {
    const query = input.value.trim();
    let shown = 0;
    for (const { element, row } of rows) {
      row.hidden = !matches(`${element.name} ${element.kind} ${element.text ?? ''}`, query);
      if (!row.hidden) ++shown;
    }
    count.textContent = `${shown} of ${rows.length}`;
  };
  input.addEventListener('input', filter);
  filter();
  const table = make('table', {},
    make('thead', {}, make('tr', {}, ...['name', 'kind', 'line', 'what it says'].map((text) => make('th', text === 'line' ? { class: 'value' } : {}, text)))),
    make('tbody', {}, ...rows.map(({ row }) => row)));
  const file = name_of(model.file ?? '');
  const scroll = make('div', { class: 'scroll tall' }, table);
  return {
    element: section('elements', 'Elements', make('div', { class: 'bar' }, input, count, file), scroll),
    show: (name) => {
      for (const { element, row } of rows) row.classList.toggle('found', name !== null && element.name === name);
    },
  };
}
