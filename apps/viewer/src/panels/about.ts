// How the page was made, and the licences of what is in it.
import licences from 'licences';
import type { Report } from '../contract';
import { make, section, words_of } from '../dom';

export function about(report: Report): HTMLElement {
  const rows: HTMLElement[] = [];
  const add = (name: string, value: string | undefined): void => {
    if (value) rows.push(make('tr', {}, make('td', {}, name), words_of(value, 'td', 'code')));
  };
  add('made by', report.command);
  add('version', report.version);
  add('fingerprint of inputs', report.fingerprint);
  add('model', report.model.file);
  const texts = licences.map(({ name, version, licence, text }) =>
    make('div', {}, make('h3', {}, `${name} ${version}, ${licence}`), make('pre', {}, text)));
  return section('about', 'How it was made', make('table', { class: 'wide' }, make('tbody', {}, ...rows)),
    make('details', { class: 'about' }, make('summary', {}, 'About: what is in this page, and its licences'), ...texts));
}
