// Each column over each other one, and how each is spread.
import { paint, series_colour } from '../colours';
import { label_of } from '../plots/axes';
import { part_of, text_at, ticks_of } from './samples';
import type { Samples } from './samples';
import { Sheet } from './sheet';

const kTop = 20;
const kBottom = 18;
const kLeft = 56;
const kRight = 64;  // px, for the name of the last column
const kGap = 5;
const kLeast = 44;
const kMost = 150;
const kBins = 16;
const kNear = 12;

export class ScatterMatrix extends Sheet {
  constructor(private readonly samples: Samples) {
    super('scatter matrix: a point for each car');
    this.canvas.title = 'click on a point: its car';
    this.listen();
  }

  private get cell(): number {
    return (this.width - kLeft - kRight) / Math.max(this.samples.shown.length, 1);
  }

  protected size(box: number): [number, number] {
    const n = Math.max(this.samples.shown.length, 1);
    const cell = Math.min(Math.max((box - kLeft - kRight) / n, kLeast), kMost);
    return [kLeft + kRight + n * cell, kTop + kBottom + n * cell];
  }

  private x(place: number, part: number): number {
    return kLeft + place * this.cell + part * (this.cell - kGap);
  }

  private y(place: number, part: number): number {
    return kTop + place * this.cell + (1 - part) * (this.cell - kGap);
  }

  /** Where a sample's point is on the page, for tests. */
  place(across: number, up: number, row: number): [number, number] {
    const { shown, columns } = this.samples;
    const box = this.canvas.getBoundingClientRect();
    return [box.left + this.x(shown.indexOf(across), part_of(columns[across], columns[across].values[row])),
      box.top + this.y(shown.indexOf(up), part_of(columns[up], columns[up].values[row]))];
  }

  protected paint(context: CanvasRenderingContext2D): void {
    const { shown, columns } = this.samples;
    const side = this.cell - kGap;
    let free = -Infinity;  // px, from where there is room for a number below
    shown.forEach((up, i) => {
      for (let j = 0; j <= i; ++j) {
        context.strokeStyle = paint().grid;
        context.lineWidth = 1;
        context.strokeRect(this.x(j, 0), this.y(i, 1), side, side);
        if (i === j) this.paint_spread(context, up, i);
        else this.paint_points(context, shown[j], up, j, i);
      }
      const most = Math.max(2, Math.floor(side / 24));
      for (const tick of ticks_of(columns[up], most)) {
        const part = part_of(columns[up], tick);
        if (part < 0.04 || part > 0.96) continue;
        if (i > 0) this.write(context, text_at(columns[up], tick, 3), { x: kLeft - 4, y: this.y(i, part), align: 'right', size: 10, letters: 8 });
        const text = text_at(columns[up], tick, 3);
        const half = 3 * Math.min(text.length, 8);
        const x = this.x(i, part);
        if (x - half < free) continue;
        free = x + half + 3;
        this.write(context, text, { x, y: this.height - 9, align: 'center', size: 10, letters: 8 });
      }
      // above the diagonal there is room
      const label = label_of(columns[up].name, columns[up].unit);
      const room = (shown.length - i) * this.cell + kRight;
      this.write(context, label, { x: this.x(i, 0), y: this.y(i, 1) - 9, bold: columns[up].response, letters: Math.floor(room / 6.8) });
    });
  }

  private paint_points(context: CanvasRenderingContext2D, across: number, up: number, j: number, i: number): void {
    const { samples } = this;
    const [xs, ys] = [samples.columns[across], samples.columns[up]];
    const half = samples.count > 400 ? 1 : 1.6;
    const dots = (kept: number): void => {
      for (let row = 0; row < samples.count; ++row) {
        if (samples.kept[row] !== kept) continue;
        const x = part_of(xs, xs.values[row]);
        const y = part_of(ys, ys.values[row]);
        if (Number.isFinite(x + y)) context.fillRect(this.x(j, x) - half, this.y(i, y) - half, 2 * half, 2 * half);
      }
    };
    context.fillStyle = paint().grid;
    dots(0);
    context.fillStyle = series_colour(0);
    context.globalAlpha = samples.count > 400 ? 0.6 : 0.85;
    dots(1);
    context.globalAlpha = 1;
    if (samples.picked < 0) return;
    const x = part_of(xs, xs.values[samples.picked]);
    const y = part_of(ys, ys.values[samples.picked]);
    if (!Number.isFinite(x + y)) return;
    context.strokeStyle = series_colour(1);
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(this.x(j, x), this.y(i, y), 5, 0, 2 * Math.PI);
    context.stroke();
  }

  /** How many lie where, those that are kept before all. */
  private paint_spread(context: CanvasRenderingContext2D, index: number, place: number): void {
    const { samples } = this;
    const column = samples.columns[index];
    const all = new Float64Array(kBins);
    const kept = new Float64Array(kBins);
    for (let row = 0; row < samples.count; ++row) {
      const part = part_of(column, column.values[row]);
      if (!Number.isFinite(part)) continue;
      const bin = Math.min(Math.max(Math.floor(part * kBins), 0), kBins - 1);
      all[bin] += 1;
      kept[bin] += samples.kept[row];
    }
    const most = Math.max(...all, 1);
    const width = (this.cell - kGap) / kBins;
    for (const [counts, colour] of [[all, paint().grid], [kept, series_colour(0)]] as const) {
      context.fillStyle = colour;
      counts.forEach((count, bin) => {
        const height = (0.92 * (this.cell - kGap) * count) / most;
        context.fillRect(this.x(place, bin / kBins), this.y(place, 0) - height, width - 1, height);
      });
    }
  }

  /** The kept sample whose point is nearest; -1: none within reach. */
  private row_at(px: number, py: number): number {
    const { samples } = this;
    const j = Math.floor((px - kLeft) / this.cell);
    const i = Math.floor((py - kTop) / this.cell);
    if (j < 0 || j >= i || i >= samples.shown.length) return -1;
    const [xs, ys] = [samples.columns[samples.shown[j]], samples.columns[samples.shown[i]]];
    let best = -1;
    let least = kNear;
    for (let row = 0; row < samples.count; ++row) {
      if (!samples.kept[row]) continue;
      const away = Math.hypot(this.x(j, part_of(xs, xs.values[row])) - px, this.y(i, part_of(ys, ys.values[row])) - py);
      if (away < least) (least = away), (best = row);
    }
    return best;
  }

  private listen(): void {
    const { samples, canvas } = this;
    canvas.addEventListener('pointermove', (event) => {
      const [x, y] = this.point(event);
      const row = this.row_at(x, y);
      canvas.style.cursor = row >= 0 ? 'pointer' : '';
      if (row < 0) {
        this.readout.textContent = '\u00a0';
        return;
      }
      const cells = [Math.floor((x - kLeft) / this.cell), Math.floor((y - kTop) / this.cell)].map((k) => samples.columns[samples.shown[k]]);
      this.readout.textContent = `car ${samples.ids[row]}: ` +
        cells.map((column) => `${label_of(column.name, '')} ${text_at(column, column.values[row])} ${column.unit}`).join(', ');
    });
    canvas.addEventListener('pointerleave', () => (this.readout.textContent = '\u00a0'));
    canvas.addEventListener('click', (event) => {
      const [x, y] = this.point(event as PointerEvent);
      const row = this.row_at(x, y);
      if (row >= 0) samples.pick(row);
    });
  }
}
