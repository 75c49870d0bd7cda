// The cars of a study as a table, the one that is picked, what is brushed and which columns are shown.
import { button, make, name_of, unit_of, words_of } from '../dom';
import { text_at } from './samples';
import type { Column, Samples } from './samples';

const kRows = 100;  // shown before "all"

/** A line for each brush with what takes it away; how many are kept. */
export function brush_bar(samples: Samples): HTMLElement {
  const bar = make('div', { class: 'bar brushes' });
  const show = (): void => {
    bar.replaceChildren(make('span', { class: 'count' }, `${samples.kept_count} of ${samples.count} cars`));
    for (const [k, [low, high]] of samples.brushes) {
      const column = samples.columns[k];
      const chip = button('\u00d7', 'keep all of this column', () => samples.brush(k, null));
      bar.append(make('span', { class: 'brush' }, name_of(column.name),
        column.words.length ? ` ${column.words.filter((_, w) => w >= low && w <= high).join(', ')} `
          : ` ${text_at(column, low, 4)} to ${text_at(column, high, 4)} `, unit_of(column.unit), chip));
    }
    if (samples.brushes.size > 1) bar.append(button('all cars', 'take all brushes away', () => samples.clear()));
    if (samples.brushes.size === 0) bar.append(make('span', { class: 'count hint' }, 'drag along an axis to keep some of them'));
  };
  samples.follow(show);
  show();
  return bar;
}

/** Which columns the views show. */
export function column_chooser(samples: Samples): HTMLElement {
  const summary = make('summary', {});
  const list = make('div', { class: 'columns' });
  const show = (): void => {
    summary.textContent = `columns: ${samples.shown.length} of ${samples.columns.length}`;
  };
  samples.columns.forEach((column, k) => {
    const box = make('input', { type: 'checkbox', checked: samples.shown.includes(k) });
    box.addEventListener('change', () => samples.show_column(k, box.checked));
    list.append(make('label', {}, box, name_of(column.name)));
  });
  samples.follow(show);
  show();
  return make('details', { class: 'chooser' }, summary, list);
}

function cell(column: Column, row: number): HTMLElement {
  const text = text_at(column, column.values[row]);
  return column.words.length ? words_of(text, 'td') : make('td', { class: 'value' }, text);
}

/** What is known of the car that is picked. */
export function picked_car(samples: Samples): HTMLElement {
  const box = make('div', { class: 'picked' });
  const show = (): void => {
    const row = samples.picked;
    if (row < 0) {
      box.replaceChildren(make('p', { class: 'count' }, 'Click on a line, a point or a row to open its car.'));
      return;
    }
    const own = samples.study.cars.some((car) => car.row === row);
    const why = samples.failures.get(row);
    const rows = samples.columns.map((column) => make('tr', { class: column.response ? 'response' : undefined },
      name_of(column.name, 'td'), cell(column, row), unit_of(column.unit, 'td')));
    box.replaceChildren(
      make('h3', {}, `car ${samples.ids[row]}`, own ? ', drawn with its own values in the design position' : ', drawn as the vehicle file has it'),
      ...(why ? [words_of(why, 'p', 'failed')] : []),
      make('div', { class: 'scroll' }, make('table', {}, make('tbody', {}, ...rows))),
      make('p', {}, samples.study.commands.length > 1 ? 'The commands that ask it, and draw its pages:' : 'The command that asks it, and draws its page:'),
      ...samples.commands(row).map((command) => make('pre', { dir: 'auto' }, command)));
  };
  let before = NaN;
  samples.follow(() => {
    if (samples.picked === before) return;
    before = samples.picked;
    show();
  });
  show();
  return box;
}

/** The cars that are kept; a click on a head sorts, one on a row picks. */
export function car_table(samples: Samples): HTMLElement {
  const head = make('tr', {});
  const body = make('tbody', {});
  const more = button('', '', () => {
    all = true;
    fill();
  });
  let all = false;
  let by: number | null = null;
  let up = true;
  const sort = (column: number | null): void => {
    up = by === column ? !up : true;
    by = column;
    fill();
  };
  const sorter = (name: Node, column: number | null): HTMLElement => {
    const press = button('', 'sort by this column', () => sort(column));
    press.append(name);
    if (column !== null) press.append(unit_of(samples.columns[column].unit));
    return make('th', { class: column !== null && samples.columns[column].words.length ? undefined : 'value' }, press);
  };
  const fill = (): void => {
    const rows: number[] = [];
    for (let row = 0; row < samples.count; ++row) if (samples.kept[row]) rows.push(row);
    const column = by === null ? null : samples.columns[by];
    const key = (row: number): number => (column ? column.values[row] : row);
    // what has no number comes last, whichever way
    rows.sort((a, b) => Number(Number.isNaN(key(a))) - Number(Number.isNaN(key(b))) || (up ? 1 : -1) * (key(a) - key(b)) || a - b);
    head.replaceChildren(sorter(document.createTextNode('car'), null), ...samples.shown.map((k) => sorter(name_of(samples.columns[k].name), k)));
    if (samples.failures.size) head.append(make('th', {}, 'status'));
    body.replaceChildren(...rows.slice(0, all ? rows.length : kRows).map((row) => {
      const line = make('tr', { tabindex: '0', class: row === samples.picked ? 'found' : undefined },
        make('td', { class: 'value' }, String(samples.ids[row])), ...samples.shown.map((k) => cell(samples.columns[k], row)));
      if (samples.failures.size) line.append(words_of(samples.failures.get(row) ?? 'ok', 'td'));
      line.addEventListener('click', () => samples.pick(row));
      line.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') samples.pick(row);
      });
      return line;
    }));
    more.hidden = all || rows.length <= kRows;
    more.textContent = `all ${rows.length} rows`;
  };
  // many changes while a brush is drawn: the table follows when they pause
  let waiting = 0;
  samples.follow(() => {
    clearTimeout(waiting);
    waiting = window.setTimeout(fill, 60);
  });
  fill();
  return make('div', { class: 'table-box cars' }, make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), body)), more);
}
