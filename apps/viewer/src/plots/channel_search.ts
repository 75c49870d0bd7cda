// A box that finds channels by parts of their names; a click adds or takes away their plot.
import type { Channel } from '../contract';
import { make, name_of, unit_of } from '../dom';

const kMost = 200;  // lines

/** Whether every word of `query` stands somewhere in `text`. */
export function matches(text: string, query: string): boolean {
  const low = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => low.includes(word));
}

export class ChannelSearch {
  readonly element: HTMLElement;
  readonly input = make('input', { type: 'search', placeholder: 'add or remove a channel', 'aria-label': 'find a channel', autocomplete: 'off', spellcheck: 'false' });
  private readonly list = make('div', { class: 'channel-list', hidden: true });

  constructor(private readonly channels: Channel[], private readonly toggle: (channel: Channel) => void, private readonly shows: (channel: Channel) => boolean) {
    this.element = make('div', { class: 'channel-search' }, this.input, this.list);
    this.element.hidden = channels.length === 0;
    this.input.addEventListener('input', () => this.open());
    this.input.addEventListener('focus', () => this.open());
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
    });
    document.addEventListener('pointerdown', (event) => {
      if (!this.element.contains(event.target as Node)) this.close();
    });
  }

  private close(): void {
    this.list.hidden = true;
  }

  private open(): void {
    this.list.hidden = false;
    this.refresh();
  }

  refresh(): void {
    if (this.list.hidden) return;
    const hits = this.channels.filter((channel) => matches(`${channel.group ?? ''} ${channel.name} ${channel.unit ?? ''}`, this.input.value.trim()));
    this.list.replaceChildren();
    let group = '';
    for (const channel of hits.slice(0, kMost)) {
      if ((channel.group ?? '') !== group) {
        group = channel.group ?? '';
        if (group) this.list.append(name_of(group, 'h3'));
      }
      const line = make('button', { type: 'button', 'aria-pressed': String(this.shows(channel)) }, name_of(channel.name), unit_of(channel.unit));
      line.addEventListener('click', () => {
        this.toggle(channel);
        this.refresh();
      });
      this.list.append(line);
    }
    if (hits.length > kMost) this.list.append(make('p', {}, `and ${hits.length - kMost} more: narrow the search`));
    if (hits.length === 0) this.list.append(make('p', {}, 'no channel has this name'));
  }
}
