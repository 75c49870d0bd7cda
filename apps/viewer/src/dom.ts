// Elements of the page. Everything that comes from a file goes in as text, never as markup.

import { unit_text } from './format';

type Attributes = Record<string, string | boolean | undefined>;

/** An element with attributes and children; strings become text. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, '');
    else if (typeof value === 'string') element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A name from a file: its own direction of writing, cut by the style where it is too long, whole in the title. */
export function name_of(text: string, tag: 'span' | 'td' | 'th' | 'div' | 'h3' = 'span'): HTMLElement {
  const element = make(tag, { class: 'name', dir: 'auto', title: text });
  element.textContent = text;
  return element;
}

/** A unit, likewise. */
export function unit_of(text: string | undefined, tag: 'span' | 'td' = 'span'): HTMLElement {
  const element = make(tag, { class: 'unit', dir: 'auto', title: text });
  element.textContent = unit_text(text);
  return element;
}

/** A sentence from a file: like a name, but it may break. */
export function words_of(text: string, tag: 'span' | 'td' | 'p' | 'li' = 'span', kind = ''): HTMLElement {
  const element = make(tag, { class: `words ${kind}`, dir: 'auto' });
  element.textContent = text;
  return element;
}

/** A section of the page with a heading that the bar at the top links to. */
export function section(id: string, heading: string, ...children: (Node | string)[]): HTMLElement {
  return make('section', { id }, make('h2', {}, heading), ...children);
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', title }, label);
  element.addEventListener('click', act);
  return element;
}
