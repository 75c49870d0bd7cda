// Numbers of the car that can be changed while it is driven: factors of springs, dampers, tyres.
import { make, name_of } from '../dom';

export interface Slider { what: string; elements: string[]; factor: number }

const kSteps = 20;   // of the slider, to each side
const kMost = 4;     // the largest factor; its inverse is the least
const factor_at = (step: number): number => Number((kMost ** (step / kSteps)).toPrecision(3));
const step_of = (factor: number): number => Math.round((kSteps * Math.log(factor)) / Math.log(kMost));

export class Sliders {
  readonly element: HTMLElement;
  private readonly inputs: HTMLInputElement[] = [];
  private readonly texts: HTMLElement[] = [];
  private factors: number[];

  /** `change` is called when a slider is let go. */
  constructor(sliders: Slider[], change: (slider: number, factor: number) => void) {
    this.factors = sliders.map((slider) => slider.factor);
    const rows = sliders.map((slider, k) => {
      const names = slider.elements.join(', ');
      const input = make('input', { type: 'range', min: String(-kSteps), max: String(kSteps), step: '1', 'aria-label': `${slider.what} ${names}` });
      const text = make('output', { class: 'scale' });
      this.inputs.push(input);
      this.texts.push(text);
      input.addEventListener('input', () => this.write(k, factor_at(Number(input.value))));
      input.addEventListener('change', () => {
        change(k, factor_at(Number(input.value)));
        // keys steer again
        input.blur();
      });
      return make('div', { class: 'slider' }, make('span', { class: 'dash-label' }, slider.what), name_of(names), make('span', { class: 'pair' }, input, text));
    });
    this.element = make('details', { class: 'keys', id: 'set-up' }, make('summary', {}, 'set-up'), make('div', { class: 'sliders' }, ...rows));
    this.take(this.factors);
  }

  private write(k: number, factor: number): void {
    this.texts[k].textContent = `${(100 * factor).toFixed(0)} %`;
  }

  /** Shows the factors that the car has now. */
  take(factors: number[]): void {
    this.factors = factors;
    this.inputs.forEach((input, k) => {
      input.value = String(step_of(factors[k]));
      this.write(k, factors[k]);
    });
  }
}
