// The key of a plot, outside of its data: a line for each curve with its name and number.
import { series_colour } from '../colours';
import { make, name_of, unit_of } from '../dom';

const kDashes: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
export const dash_of = (k: number): number[] => kDashes[k % kDashes.length];

export interface KeyLine { name: string; colour: number; dash: number; unit?: string }

export class Key {
  readonly element = make('div', { class: 'key' });
  private readonly numbers: HTMLElement[] = [];

  constructor(private readonly lines: KeyLine[]) {
    for (const line of lines) {
      const sample = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      sample.setAttribute('width', '22');
      sample.setAttribute('height', '8');
      const stroke = document.createElementNS('http://www.w3.org/2000/svg', 'line');
      for (const [k, v] of Object.entries({ x1: '0', y1: '4', x2: '22', y2: '4', 'stroke-width': '2.5', 'stroke-dasharray': dash_of(line.dash).join(' ') })) {
        stroke.setAttribute(k, v);
      }
      sample.append(stroke);
      const number = make('output', { class: 'number' });
      this.numbers.push(number);
      this.element.append(make('span', { class: 'key-line' }, sample, name_of(line.name), number, unit_of(line.unit)));
    }
    this.repaint();
  }

  repaint(): void {
    this.element.querySelectorAll('line').forEach((line, k) => line.setAttribute('stroke', series_colour(this.lines[k].colour)));
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
