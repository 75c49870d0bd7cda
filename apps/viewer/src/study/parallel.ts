// An axis for each column, side by side, and a line through them for each sample. A drag on an axis keeps what it covers.
import { paint, series_colour } from '../colours';
import { label_of } from '../plots/axes';
import { part_of, text_at, ticks_of, value_at } from './samples';
import type { Samples } from './samples';
import { Sheet } from './sheet';

const kTop = 42;
const kBottom = 10;
const kLeft = 58;
const kRight = 24;
const kHeight = 300;
const kNarrowest = 84;  // px between two axes
const kNear = 16;       // px
const kLeast = 3;       // px that are a drag
const kTicks = 6;

export class Parallel extends Sheet {
  private drag: { column: number; from: number; moved: boolean } | null = null;

  constructor(private readonly samples: Samples) {
    super('parallel axes: a line for each car');
    this.canvas.title = 'drag along an axis: keep what it covers; click on the axis: all again; click on a line: its car';
    this.listen();
  }

  protected size(box: number): [number, number] {
    return [Math.max(box, kLeft + kRight + kNarrowest * (this.samples.shown.length - 1)), kHeight];
  }

  private x(place: number): number {
    const gaps = this.samples.shown.length - 1;
    return gaps > 0 ? kLeft + (place * (this.width - kLeft - kRight)) / gaps : 0.5 * this.width;
  }

  private y(part: number): number {
    return kTop + (1 - part) * (this.height - kTop - kBottom);
  }

  /** Where a value of a column is on the page, for tests. */
  place(column: number, value: number): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return [box.left + this.x(this.samples.shown.indexOf(column)), box.top + this.y(part_of(this.samples.columns[column], value))];
  }

  protected paint(context: CanvasRenderingContext2D): void {
    const { samples } = this;
    const colours = paint();
    const trace = (row: number): void => {
      context.beginPath();
      let pen = false;
      samples.shown.forEach((column, place) => {
        const part = part_of(samples.columns[column], samples.columns[column].values[row]);
        if (!Number.isFinite(part)) pen = false;
        else if (pen) context.lineTo(this.x(place), this.y(part));
        else context.moveTo(this.x(place), this.y(part));
        if (Number.isFinite(part)) pen = true;
      });
      context.stroke();
    };
    context.lineJoin = 'round';
    context.lineWidth = 1;
    context.strokeStyle = colours.grid;
    context.globalAlpha = 0.35;
    for (let row = 0; row < samples.count; ++row) if (!samples.kept[row]) trace(row);
    context.strokeStyle = series_colour(0);
    // where there are many their density is to be seen
    context.globalAlpha = Math.min(0.85, Math.max(0.12, 40 / Math.max(samples.kept_count, 1)));
    for (let row = 0; row < samples.count; ++row) if (samples.kept[row]) trace(row);
    context.globalAlpha = 1;
    if (samples.picked >= 0) {
      context.strokeStyle = series_colour(1);
      context.lineWidth = 3;
      trace(samples.picked);
    }
    samples.shown.forEach((column, place) => this.paint_axis(context, column, place));
  }

  private paint_axis(context: CanvasRenderingContext2D, index: number, place: number): void {
    const column = this.samples.columns[index];
    const x = this.x(place);
    const colours = paint();
    context.strokeStyle = colours.text;
    context.lineWidth = column.response ? 2 : 1;
    context.beginPath();
    context.moveTo(x, this.y(0));
    context.lineTo(x, this.y(1));
    context.stroke();
    for (const tick of ticks_of(column, kTicks)) {
      const y = this.y(part_of(column, tick));
      if (!(y >= kTop && y <= this.height - kBottom)) continue;
      context.beginPath();
      context.strokeStyle = colours.text;
      context.lineWidth = 1;
      context.moveTo(x - 4, y);
      context.lineTo(x, y);
      context.stroke();
      this.write(context, text_at(column, tick, 4), { x: x - 6, y, align: 'right', size: 10.5, letters: 9, halo: true });
    }
    const brush = this.samples.brushes.get(index);
    if (brush) {
      const [low, high] = brush.map((value) => Math.min(Math.max(part_of(column, value), 0), 1));
      context.fillStyle = series_colour(1);
      context.globalAlpha = 0.35;
      context.fillRect(x - 7, this.y(high), 14, this.y(low) - this.y(high));
      context.globalAlpha = 1;
      context.strokeStyle = series_colour(1);
      context.lineWidth = 1.5;
      context.strokeRect(x - 7, this.y(high), 14, this.y(low) - this.y(high));
    }
    // names in two rows, each as wide as two gaps
    const gap = this.samples.shown.length > 1 ? this.x(1) - this.x(0) : this.width;
    const letters = Math.max(8, Math.floor((2 * gap - 8) / (column.response ? 7 : 6.4)));
    this.write(context, label_of(column.name, column.unit), {
      x, y: place % 2 ? 26 : 10, align: 'center', letters, bold: column.response, within: this.width,
    });
  }

  /** The axis near a place of the sheet; -1: none. */
  private axis_at(x: number): number {
    let best = -1;
    let least = kNear;
    this.samples.shown.forEach((column, place) => {
      const away = Math.abs(this.x(place) - x);
      if (away < least) (least = away), (best = column);
    });
    return best;
  }

  /** The kept sample whose line passes nearest; -1: none within reach. */
  private line_at(x: number, y: number): number {
    const { samples } = this;
    const gap = samples.shown.length > 1 ? this.x(1) - this.x(0) : 1;
    const place = Math.min(Math.max(Math.floor((x - this.x(0)) / gap), 0), Math.max(samples.shown.length - 2, 0));
    const [a, b] = [samples.shown[place], samples.shown[Math.min(place + 1, samples.shown.length - 1)]].map((k) => samples.columns[k]);
    if (!a || !b) return -1;
    const w = (x - this.x(place)) / gap;
    let best = -1;
    let least = kNear;
    for (let row = 0; row < samples.count; ++row) {
      if (!samples.kept[row]) continue;
      const away = Math.abs(this.y((1 - w) * part_of(a, a.values[row]) + w * part_of(b, b.values[row])) - y);
      if (away < least) (least = away), (best = row);
    }
    return best;
  }

  private part(y: number): number {
    return Math.min(Math.max((this.height - kBottom - y) / (this.height - kTop - kBottom), 0), 1);
  }

  private listen(): void {
    const { canvas, samples } = this;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      const [x, y] = this.point(event);
      const column = this.axis_at(x);
      if (column < 0) {
        const row = this.line_at(x, y);
        if (row >= 0) samples.pick(row);
        return;
      }
      canvas.setPointerCapture(event.pointerId);
      this.drag = { column, from: y, moved: false };
    });
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = this.point(event);
      if (!this.drag) {
        const column = this.axis_at(x);
        canvas.style.cursor = column >= 0 ? 'ns-resize' : 'pointer';
        const row = column < 0 ? this.line_at(x, y) : -1;
        this.readout.textContent = column >= 0 ? label_of(samples.columns[column].name, samples.columns[column].unit) : row >= 0 ? `car ${samples.ids[row]}` : '\u00a0';
        return;
      }
      if (Math.abs(y - this.drag.from) > kLeast) this.drag.moved = true;
      if (!this.drag.moved) return;
      const axis = samples.columns[this.drag.column];
      samples.brush(this.drag.column, [value_at(axis, this.part(this.drag.from)), value_at(axis, this.part(y))]);
    });
    canvas.addEventListener('pointerup', () => {
      if (this.drag && !this.drag.moved) samples.brush(this.drag.column, null);
      this.drag = null;
    });
    canvas.addEventListener('pointercancel', () => (this.drag = null));
    canvas.addEventListener('pointerleave', () => (this.readout.textContent = '\u00a0'));
  }
}
