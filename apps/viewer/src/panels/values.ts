// Answers with unit and uncertainty; facts of the model and the run.
import type { Answer, Fact } from '../contract';
import { make, name_of, section, unit_of, words_of } from '../dom';
import { number_text, value_text } from '../format';

function value_cell(value: Answer['value']): HTMLElement {
  if (typeof value === 'number') return make('td', { class: 'value' }, value_text(value));
  return words_of(value_text(value), 'td', 'value');
}

export function answers(list: Answer[]): HTMLElement[] {
  if (list.length === 0) return [];
  const sure = list.every((answer) => typeof answer.uncertainty !== 'number');
  const noted = list.some((answer) => answer.note);
  const head = make('tr', {}, make('th', {}, 'answer'), make('th', { class: 'value' }, 'value'));
  if (!sure) head.append(make('th', { class: 'value' }, 'uncertainty'));
  head.append(make('th', {}, 'unit'));
  if (noted) head.append(make('th', {}, 'note'));
  const rows = list.map((answer) => {
    const row = make('tr', {}, name_of(answer.name, 'td'), value_cell(answer.value));
    if (!sure) row.append(make('td', { class: 'value' }, typeof answer.uncertainty === 'number' ? `\u00b1 ${number_text(answer.uncertainty, 2)}` : ''));
    row.append(unit_of(answer.unit, 'td'));
    if (noted) row.append(words_of(answer.note ?? '', 'td', 'note'));
    return row;
  });
  return [section('answers', 'Answers', make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))))];
}

export function facts(list: Fact[]): HTMLElement[] {
  if (list.length === 0) return [];
  const rows = list.map((fact) => make('tr', {}, name_of(fact.name, 'td'), value_cell(fact.value), unit_of(fact.unit, 'td')));
  return [section('facts', 'Model and conditions', make('div', { class: 'scroll' }, make('table', {}, make('tbody', {}, ...rows))))];
}
