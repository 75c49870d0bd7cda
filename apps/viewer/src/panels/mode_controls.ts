// Picks a mode, its amplitude, and animates its phase.
import type { Mode } from '../contract';
import { make } from '../dom';
import { number_text } from '../format';
import type { Stage } from '../scene/stage';
import type { View } from '../scene/view';

const kTurn = 1.6;  // s a cycle on the page, whatever the frequency

export class ModeControls {
  readonly element: HTMLElement;
  private readonly pick = make('select', { 'aria-label': 'mode' });
  private readonly amplitude = make('input', { type: 'range', min: '0', max: '0.4', step: '0.005', value: '0.1', 'aria-label': 'amplitude' });
  private readonly run = make('input', { type: 'checkbox', checked: true });
  private readonly text = make('output', { class: 'scale' });
  phase = 0;

  constructor(modes: Mode[], private readonly stage: Stage, private readonly view: View, at_once: boolean) {
    this.pick.append(make('option', { value: '' }, 'none'));
    modes.forEach((mode, k) => {
      const damping = Number.isFinite(mode.damping) ? `, damping ${number_text(mode.damping, 3)}` : '';
      const option = make('option', { value: String(k), dir: 'auto' });
      option.textContent = `${Array.from(mode.name).slice(0, 40).join('')}: ${number_text(mode.frequency, 4)} Hz${damping}`;
      this.pick.append(option);
    });
    this.element = make('div', { class: 'controls' },
      make('label', {}, 'mode ', this.pick), make('label', {}, 'amplitude ', this.amplitude, this.text), make('label', {}, this.run, 'move'));
    this.pick.addEventListener('change', () => this.choose(this.pick.value === '' ? null : Number(this.pick.value)));
    this.amplitude.addEventListener('input', () => this.show());
    this.run.addEventListener('change', () => this.view.invalidate());
    if (at_once && modes.length) this.choose(0);
    else this.show();
  }

  get active(): boolean {
    return this.pick.value !== '';
  }

  choose(index: number | null): void {
    this.pick.value = index === null ? '' : String(index);
    this.phase = 0;
    this.stage.choose_mode(index);
    if (index === null) this.stage.show(this.stage.time);
    this.show();
  }

  private show(): void {
    this.text.textContent = `${Number(this.amplitude.value).toFixed(3)} m`;
    if (this.active) this.stage.show_mode(Number(this.amplitude.value), this.phase);
    this.view.invalidate();
  }

  /** Moves the phase on; true while it moves. */
  advance(seconds: number): boolean {
    if (!this.active || !this.run.checked) return false;
    this.phase = (this.phase + (2 * Math.PI * seconds) / kTurn) % (2 * Math.PI);
    this.stage.show_mode(Number(this.amplitude.value), this.phase);
    return true;
  }
}
