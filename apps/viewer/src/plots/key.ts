// The key of a plot, outside of its data: a line for each curve with its name and number.
import { series_colour } from '../colours';
import { make, name_of, unit_of } from '../dom';

const kDashes: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
/** The first alone is whole: one that lies on others leaves them to be seen. */
export const dash_of = (k: number): number[] => kDashes[k === 0 ? 0 : 1 + ((k - 1) % (kDashes.length - 1))];

/** Corners of the marker of a point, within 1 of its middle: a circle, then others, so that colours may come again. */
export function marker_of(k: number): [number, number][] {
  const corners = [16, 4, 3][k % 3];
  const turn = corners === 4 ? 0.25 * Math.PI : 0.5 * Math.PI;
  const size = corners === 16 ? 1 : 1.25;
  return Array.from({ length: corners }, (_, c) => {
    const a = turn + (2 * Math.PI * c) / corners;
    return [size * Math.cos(a), -size * Math.sin(a)];
  });
}

/** `marker`: of points instead of a line. */
export interface KeyLine { name: string; colour: number; dash: number; marker?: number; unit?: string }

function svg(tag: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function sample_of(line: KeyLine): SVGElement {
  if (line.marker === undefined) return svg('line', { x1: '0', y1: '4', x2: '22', y2: '4', 'stroke-width': '2.5', 'stroke-dasharray': dash_of(line.dash).join(' ') });
  return svg('polygon', { points: marker_of(line.marker).map(([x, y]) => `${11 + 3.2 * x},${4 + 3.2 * y}`).join(' ') });
}

export class Key {
  readonly element = make('div', { class: 'key' });
  private readonly numbers: HTMLElement[] = [];

  constructor(private readonly lines: KeyLine[]) {
    for (const line of lines) {
      const sample = svg('svg', { width: '22', height: '8' });
      sample.append(sample_of(line));
      const number = make('output', { class: 'number' });
      this.numbers.push(number);
      this.element.append(make('span', { class: 'key-line' }, sample, name_of(line.name), number, unit_of(line.unit)));
    }
    this.repaint();
  }

  repaint(): void {
    this.element.querySelectorAll('line, polygon').forEach((sample, k) => sample.setAttribute(sample.tagName === 'line' ? 'stroke' : 'fill', series_colour(this.lines[k].colour)));
  }

  show(values: string[]): void {
    values.forEach((value, k) => {
      if (this.numbers[k].textContent !== value) this.numbers[k].textContent = value;
    });
  }

  get texts(): string[] {
    return this.numbers.map((number) => number.textContent ?? '');
  }
}
