// A canvas that is as wide as it needs, scrolls in its box where that is narrower, and is drawn once a frame.
import { paint } from '../colours';
import { make } from '../dom';
import { canvas_text } from '../plots/axes';

const kFont = 'px system-ui, sans-serif';

export interface Line {
  x: number; y: number; align?: CanvasTextAlign; bold?: boolean; size?: number; letters?: number; halo?: boolean;
  /** text about x is shifted so that it stays between 0 and this, px */
  within?: number;
}

export abstract class Sheet {
  readonly canvas: HTMLCanvasElement;
  readonly element: HTMLElement;
  readonly readout = make('output', { class: 'readout' }, '\u00a0');
  protected width = 0;
  protected height = 0;
  private asked = 0;

  constructor(label: string) {
    this.canvas = make('canvas', { class: 'sheet', role: 'img', 'aria-label': label });
    const box = make('div', { class: 'sheet-box' }, this.canvas);
    this.element = make('div', {}, box, this.readout);
    new ResizeObserver(() => this.invalidate()).observe(box);
  }

  /** Width and height for a box of this width, px. */
  protected abstract size(box: number): [number, number];
  protected abstract paint(context: CanvasRenderingContext2D): void;

  invalidate(): void {
    if (!this.asked) this.asked = requestAnimationFrame(() => this.draw());
  }

  /** At once: the printer does not wait. */
  draw(): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
    const box = this.canvas.parentElement?.clientWidth ?? 0;
    if (box === 0) return;
    [this.width, this.height] = this.size(box);
    const ratio = devicePixelRatio || 1;
    const [wide, high] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
      this.canvas.style.width = `${this.width}px`;
      this.canvas.style.height = `${this.height}px`;
    }
    const context = this.canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.paint(context);
  }

  /** Where a pointer is on the sheet. */
  protected point(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  protected write(context: CanvasRenderingContext2D, text: string, at: Line): void {
    const colours = paint();
    context.font = `${at.bold ? '600 ' : ''}${at.size ?? 11}${kFont}`;
    context.textAlign = at.align ?? 'left';
    context.textBaseline = 'middle';
    const shown = canvas_text(text, at.letters ?? 40);
    const half = at.within === undefined ? 0 : 0.5 * context.measureText(shown).width;
    const x = at.within === undefined ? at.x : Math.max(Math.min(at.x, at.within - half), half);
    if (at.halo) {
      context.strokeStyle = colours.sky;
      context.lineWidth = 3;
      context.lineJoin = 'round';
      context.strokeText(shown, x, at.y);
    }
    context.fillStyle = colours.text;
    context.fillText(shown, x, at.y);
  }
}
