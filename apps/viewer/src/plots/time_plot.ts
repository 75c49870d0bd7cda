// One plot of channels over time: all runs in it, the cursor of the page's time, marks.
import uPlot from 'uplot';
import { series_colour } from '../colours';
import type { Channel, Mark, Run } from '../contract';
import { decode, interpolate } from '../data';
import { button, make, name_of } from '../dom';
import { running_text } from '../format';
import type { Player } from '../player';
import { axis, label_of } from './axes';
import { Key, dash_of } from './key';
import type { KeyLine } from './key';
import { draw_marks, kMarkRows } from './marks';

const kHeight = 150;  // px
const kAbove = 6;     // px above the data where there are no labels

/** What all time plots have in common. */
export interface Shared { player: Player; range: [number, number]; axis: { label: string; unit: string }; zoom: (range: [number, number]) => void }

interface Curve extends KeyLine { times: Float64Array; values: Float64Array }

/** Numbers that are none become gaps. */
function with_gaps(values: Float64Array): Float64Array | (number | null)[] {
  return values.every(Number.isFinite) ? values : Array.from(values, (x) => (Number.isFinite(x) ? x : null));
}

const same = (a: Float64Array, b: Float64Array): boolean => a === b || (a.length === b.length && a.every((x, k) => x === b[k]));

function data_of(curves: Curve[]): uPlot.AlignedData {
  const times = curves[0]?.times ?? new Float64Array(0);
  if (curves.every((curve) => same(curve.times, times))) {
    return [times, ...curves.map((curve) => with_gaps(curve.values))] as uPlot.AlignedData;
  }
  return uPlot.join(curves.map((curve) => [curve.times, with_gaps(curve.values)] as uPlot.AlignedData));
}

/** The curves of some channels in all runs. One run: a colour for each channel; more: a colour for each run. */
function curves_of(runs: Run[], times: Float64Array[], names: string[]): Curve[] {
  const curves: Curve[] = [];
  runs.forEach((run, r) => {
    names.forEach((name, c) => {
      const channel = run.channels.find((other) => other.name === name);
      if (!channel) return;
      const values = decode(channel.values);
      const n = Math.min(values.length, times[r].length);
      curves.push({
        name: runs.length === 1 ? name : names.length === 1 ? run.name : `${run.name}: ${name}`,
        colour: runs.length === 1 ? c : r,
        // runs that agree lie on one another: dashes let the first be seen
        dash: runs.length === 1 ? 0 : names.length === 1 ? r : c,
        unit: channel.unit,
        times: n === times[r].length ? times[r] : times[r].subarray(0, n),
        values: values.subarray(0, n),
      });
    });
  });
  return curves;
}

export class TimePlot {
  readonly element: HTMLElement;
  readonly key: Key;
  readonly plot: uPlot;
  private readonly curves: Curve[];
  private readonly now = make('div', { class: 'now' });
  private readonly marks: Mark[];
  labels = false;

  constructor(readonly channels: Channel[], runs: Run[], times: Float64Array[], private readonly shared: Shared, close: () => void) {
    const names = channels.map((channel) => channel.name);
    this.curves = curves_of(runs, times, names);
    this.marks = (runs[0]?.marks ?? []).filter((mark) => mark.channel === undefined || names.includes(mark.channel));
    this.key = new Key(this.curves);
    const heading = make('div', { class: 'plot-head' });
    if (runs.length > 1) heading.append(name_of(names.join(', '), 'h3'));
    heading.append(this.key.element, button('\u00d7', 'take this plot away', close));
    const body = make('div', { class: 'plot-body' });
    this.element = make('figure', { class: 'plot' }, heading, body);
    this.plot = new uPlot(this.options(channels[0]?.unit), data_of(this.curves), body);
    this.plot.over.append(this.now);
    this.listen();
  }

  private get has_labels(): boolean {
    return this.marks.some((mark) => this.labels || mark.channel !== undefined);
  }

  /** Labels stand above the data, which keep their height. */
  private get height(): number {
    return kHeight + (this.has_labels ? kMarkRows - kAbove : 0);
  }

  private options(unit: string | undefined): uPlot.Options {
    return {
      width: 600,
      height: this.height,
      legend: { show: false },
      cursor: { show: false },
      padding: [() => (this.has_labels ? kMarkRows : kAbove), 14, 0, 0],
      scales: { x: { time: false, range: () => this.shared.range }, y: { auto: true } },
      axes: [axis('x', label_of(this.shared.axis.label, this.shared.axis.unit)), axis('y', label_of('', unit))],
      series: [
        {},
        ...this.curves.map((curve) => ({
          stroke: () => series_colour(curve.colour), width: 1.5, dash: dash_of(curve.dash), points: { show: false },
        })),
      ],
      hooks: {
        draw: [(u) => {
          const labelled = (mark: Mark): boolean => this.labels || mark.channel !== undefined;
          draw_marks(u, this.marks.map((mark) => ({ x: mark.time, until: mark.until, level: mark.level, label: labelled(mark) ? mark.label : '' })));
        }],
      },
    };
  }

  /** Click and drag seek; with shift the drag zooms; a double click shows all. */
  private listen(): void {
    const { over } = this.plot;
    over.title = 'click or drag: go to this time; shift and drag: zoom; double click: all';
    const time_at = (event: PointerEvent): number => this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
    let from: number | null = null;
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      from = time_at(event);
      if (!event.shiftKey) this.shared.player.seek(from);
    });
    over.addEventListener('pointermove', (event) => {
      if (from !== null && !event.shiftKey) this.shared.player.seek(time_at(event));
    });
    over.addEventListener('pointerup', (event) => {
      const to = time_at(event);
      if (from !== null && event.shiftKey && Math.abs(to - from) > 0.005 * (this.shared.range[1] - this.shared.range[0])) {
        this.shared.zoom([Math.min(from, to), Math.max(from, to)]);
      }
      from = null;
    });
    over.addEventListener('dblclick', () => this.shared.zoom([this.shared.player.start, this.shared.player.end]));
  }

  resize(width: number): void {
    if (width > 0 && (Math.abs(width - this.plot.width) >= 1 || this.height !== this.plot.height)) this.plot.setSize({ width, height: this.height });
  }

  /** Draws anew, at once: the printer does not wait. */
  redraw(): void {
    this.plot.batch(() => {
      this.plot.setScale('x', { min: this.shared.range[0], max: this.shared.range[1] });
      this.plot.redraw(true, true);
    });
    this.key.repaint();
    this.show(this.shared.player.time);
  }

  show(t: number): void {
    const x = this.plot.valToPos(t, 'x');
    const inside = x >= 0 && x <= this.plot.over.clientWidth;
    this.now.style.visibility = inside ? 'visible' : 'hidden';
    this.now.style.transform = `translateX(${x.toFixed(2)}px)`;
    this.key.show(this.curves.map((curve) => running_text(interpolate(curve.times, curve.values, t))));
  }

  /** The time where the cursor stands, read back from its place on the page. */
  cursor_time(): number {
    const left = this.now.getBoundingClientRect().left - this.plot.over.getBoundingClientRect().left;
    return this.plot.posToVal(left, 'x');
  }
}
