// A chart over anything: curves that may turn back, points, log axes.
import uPlot from 'uplot';
import { paint, series_colour } from '../colours';
import type { Chart, Series } from '../contract';
import { decode } from '../data';
import { make, name_of } from '../dom';
import { number_text, unit_text } from '../format';
import { axis, label_of } from './axes';
import { Key, dash_of, marker_of } from './key';
import { draw_marks, kMarkRows } from './marks';

const kHeight = 240;
const kColours = 7;

interface Curve { xs: Float64Array; ys: Float64Array; points: boolean; index: number }

/** Log axes have no place for what is not positive. */
function curve_of(series: Series, index: number, log_x: boolean, log_y: boolean): Curve {
  const xs = decode(series.x);
  const ys = decode(series.y);
  const n = Math.min(xs.length, ys.length);
  const ok = (x: number, log: boolean): boolean => Number.isFinite(x) && (!log || x > 0);
  for (let k = 0; k < n; ++k) if (!ok(xs[k], log_x) || !ok(ys[k], log_y)) xs[k] = NaN;
  return { xs: xs.subarray(0, n), ys: ys.subarray(0, n), points: series.points === true || n === 1, index };
}

/** Least and largest of some numbers with some room; on log axes room in powers. */
function range_of(all: Float64Array[], log: boolean): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of all) for (const x of values) if (Number.isFinite(x) && (!log || x > 0)) (low = Math.min(low, x)), (high = Math.max(high, x));
  if (!(low <= high)) return log ? [1, 10] : [0, 1];
  if (log) {
    const room = Math.max((high / low) ** 0.04, 1.05);
    return [low / room, high * room];
  }
  const room = 0.04 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}

/** Curves in the order of their points, so that loops stay loops. */
function draw_curve(u: uPlot, curve: Curve): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = ctx.fillStyle = series_colour(curve.index);
  ctx.lineWidth = 1.6 * ratio;
  ctx.lineJoin = 'round';
  ctx.setLineDash(dash_of(Math.floor(curve.index / kColours)).map((x) => x * ratio));
  const corners = marker_of(Math.floor(curve.index / kColours));
  ctx.beginPath();
  let pen = false;
  for (let k = 0; k < curve.xs.length; ++k) {
    if (Number.isNaN(curve.xs[k])) {
      pen = false;
      continue;
    }
    const x = u.valToPos(curve.xs[k], 'x', true);
    const y = u.valToPos(curve.ys[k], 'y', true);
    if (curve.points) {
      corners.forEach(([right, down], c) => (c ? ctx.lineTo : ctx.moveTo).call(ctx, x + 3.2 * ratio * right, y + 3.2 * ratio * down));
      ctx.closePath();
    } else if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
  }
  if (curve.points) ctx.fill();
  else ctx.stroke();
  ctx.restore();
}

export class ChartPlot {
  readonly element: HTMLElement;
  readonly plot: uPlot;
  readonly key: Key;
  /** Called with the x of a click or drag, where there is a cursor. */
  seek: (x: number) => void = () => {};
  private readonly now = make('div', { class: 'now', hidden: true });
  private at: number | null = null;
  private readonly curves: Curve[];

  constructor(private readonly chart: Chart) {
    const log_x = chart.x.log === true;
    const log_y = chart.y.log === true;
    this.curves = chart.series.map((series, k) => curve_of(series, k, log_x, log_y));
    this.key = new Key(chart.series.map((series, k) => ({ name: series.name, colour: k, dash: Math.floor(k / kColours),
      marker: this.curves[k].points ? Math.floor(k / kColours) : undefined })));
    // the heading names a single line
    this.key.element.hidden = chart.series.length === 1 && chart.series[0].name === '';
    const body = make('div', { class: 'plot-body' });
    const readout = make('output', { class: 'readout' }, '\u00a0');
    this.element = make('figure', { class: 'plot chart' }, name_of(chart.title, 'h3'), this.key.element, body, readout);
    const x_range = range_of(this.curves.map((curve) => curve.xs), log_x);
    const y_range = range_of(this.curves.map((curve) => curve.ys), log_y);
    this.plot = new uPlot({
      width: 480,
      height: kHeight,
      legend: { show: false },
      cursor: { show: false },
      padding: [chart.marks?.length ? kMarkRows : 8, 16, 0, 0],
      scales: {
        x: { time: false, distr: log_x ? 3 : 1, range: () => x_range },
        y: { distr: log_y ? 3 : 1, range: () => y_range },
      },
      axes: [axis('x', label_of(chart.x.label ?? '', chart.x.unit), log_x), axis('y', label_of(chart.y.label ?? '', chart.y.unit), log_y)],
      // the curves are drawn by the hook: uPlot's own need x in order
      series: [{}, { show: false }],
      hooks: {
        draw: [(u) => {
          for (const curve of this.curves) draw_curve(u, curve);
          draw_marks(u, (chart.marks ?? []).filter((mark) => Number.isFinite(mark.x)));
        }],
      },
    }, [x_range, y_range], body);
    this.plot.over.append(this.now);
    this.plot.over.addEventListener('pointerdown', (event) => this.go(event));
    this.plot.over.addEventListener('pointermove', (event) => {
      if (event.buttons & 1) this.go(event);
    });
    this.plot.over.addEventListener('pointermove', (event) => this.read(event, readout));
    this.plot.over.addEventListener('pointerleave', () => (readout.textContent = '\u00a0'));
  }

  /** Names the point that is nearest to the pointer. */
  private read(event: PointerEvent, readout: HTMLElement): void {
    const box = this.plot.over.getBoundingClientRect();
    let best = Infinity;
    let text = '\u00a0';
    for (const curve of this.curves) {
      for (let k = 0; k < curve.xs.length; ++k) {
        if (Number.isNaN(curve.xs[k])) continue;
        const away = Math.hypot(this.plot.valToPos(curve.xs[k], 'x') - (event.clientX - box.left), this.plot.valToPos(curve.ys[k], 'y') - (event.clientY - box.top));
        if (away >= best) continue;
        best = away;
        text = `\u2068${this.chart.series[curve.index].name}\u2069: ${number_text(curve.xs[k])} ${unit_text(this.chart.x.unit)}, ${number_text(curve.ys[k])} ${unit_text(this.chart.y.unit)}`;
      }
    }
    readout.textContent = text;
    readout.style.color = paint().text;
  }

  get title(): string {
    return this.chart.title;
  }

  private go(event: PointerEvent): void {
    if (this.at !== null) this.seek(this.plot.posToVal(event.clientX - this.plot.over.getBoundingClientRect().left, 'x'));
  }

  /** Where the cursor stands; null: there is none. */
  get cursor(): number | null {
    return this.at === null ? null : this.plot.posToVal(this.now.getBoundingClientRect().left - this.plot.over.getBoundingClientRect().left, 'x');
  }

  set cursor(x: number | null) {
    this.at = x;
    const left = x === null ? NaN : this.plot.valToPos(x, 'x');
    this.now.hidden = !(left >= 0 && left <= this.plot.over.clientWidth);
    if (!this.now.hidden) this.now.style.transform = `translateX(${left.toFixed(2)}px)`;
  }

  resize(width: number): void {
    if (width > 0 && Math.abs(width - this.plot.width) >= 1) this.plot.setSize({ width, height: kHeight });
    this.cursor = this.at;
  }

  redraw(): void {
    this.plot.batch(() => this.plot.redraw(true, true));
    this.key.repaint();
  }
}
