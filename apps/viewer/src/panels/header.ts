// Title, status, warnings and notes at the top of the page, and links to its sections.
import type { Report } from '../contract';
import { make, name_of, words_of } from '../dom';

const kFolded = 6;  // lines that are shown unfolded

function lines(kind: string, heading: string, texts: string[]): HTMLElement[] {
  if (texts.length === 0) return [];
  const list = make('ul', { class: `lines ${kind}` }, ...texts.map((text) => words_of(text, 'li')));
  if (texts.length <= kFolded) return [list];
  return [make('details', { class: `lines-box ${kind}` }, make('summary', {}, `${texts.length} ${heading}`), list)];
}

export function header(report: Report, faults: string[]): HTMLElement {
  const title = name_of(report.title, 'div');
  title.classList.add('title');
  title.setAttribute('role', 'heading');
  title.setAttribute('aria-level', '1');
  const top = make('div', { class: 'top' }, title);
  if (report.status) {
    const status = name_of(report.status);
    status.classList.add('status', /^(finished|done|ok)/i.test(report.status) ? 'good' : 'bad');
    top.append(status);
  }
  top.append(make('nav', {}));
  // once: a program's warnings hold them, too
  const suspects = report.model.suspects.map((suspect) => suspect.text)
    .filter((text) => !report.warnings.some((warning) => warning.includes(text)));
  const thinned = report.runs.map((run) => run.thinned).filter((text): text is string => typeof text === 'string' && text !== '');
  return make('header', {}, top,
    ...(report.subtitle ? [words_of(report.subtitle, 'p', 'subtitle')] : []),
    ...lines('fault', 'faults', faults),
    ...lines('warning', 'points that look wrong', suspects),
    ...lines('warning', 'warnings', report.warnings),
    ...lines('note', 'notes', [...report.notes, ...new Set(thinned)]));
}

/** Links to the sections that the page has. */
export function link_sections(page: HTMLElement): void {
  const bar = page.querySelector('nav');
  for (const part of page.querySelectorAll('section')) {
    const heading = part.querySelector('h2')?.textContent;
    if (heading) bar?.append(make('a', { href: `#${part.id}` }, heading));
  }
}
