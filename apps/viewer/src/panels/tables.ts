// Tables of the report; a click on a column's head sorts by it.
import type { Table, Value } from '../contract';
import { button, make, name_of, section, unit_of, words_of } from '../dom';
import { value_text } from '../format';

const kRows = 200;  // shown before "all"

function order(a: Value, b: Value): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
}

function body_rows(rows: Value[][], from: number, to: number): HTMLElement[] {
  return rows.slice(from, to).map((row) => make('tr', {}, ...row.map((value) =>
    (typeof value === 'number' ? make('td', { class: 'value' }, value_text(value)) : words_of(value_text(value), 'td')))));
}

function one(table: Table): HTMLElement {
  const body = make('tbody', {});
  let rows = table.rows;
  let all = rows.length <= kRows;
  const fill = (): void => body.replaceChildren(...body_rows(rows, 0, all ? rows.length : kRows));
  const head = make('tr', {});
  table.columns.forEach((column, k) => {
    let up = false;
    const sorter = button('', 'sort by this column', () => {
      up = !up;
      rows = [...table.rows].sort((a, b) => (up ? 1 : -1) * order(a[k] ?? '', b[k] ?? ''));
      fill();
    });
    sorter.append(name_of(column.name), unit_of(column.unit));
    head.append(make('th', typeof table.rows[0]?.[k] === 'number' ? { class: 'value' } : {}, sorter));
  });
  fill();
  const box = make('div', { class: 'table-box' }, name_of(table.title, 'h3'), make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), body)));
  if (!all) {
    const more = button(`all ${rows.length} rows`, '', () => {
      all = true;
      fill();
      more.remove();
    });
    box.append(more);
  }
  return box;
}

export function tables(list: Table[]): HTMLElement[] {
  return list.length ? [section('tables', 'Tables', ...list.map(one))] : [];
}
