// The column of time plots: which are shown, their common time axis, the search for more.
import type { Channel, Report } from '../contract';
import { decode } from '../data';
import { make } from '../dom';
import type { Player } from '../player';
import { ChannelSearch } from './channel_search';
import { TimePlot } from './time_plot';
import type { Shared } from './time_plot';

const kAtFirst = 3;  // plots, where no channel is a headline

/** Every channel of any run once, in the order of the run with the most of them: there a difference follows its channel. */
function channels_of(report: Report): Channel[] {
  const seen = new Map<string, Channel>();
  const runs = [...report.runs].sort((a, b) => b.channels.length - a.channels.length);
  for (const run of runs) for (const channel of run.channels) if (!seen.has(channel.name)) seen.set(channel.name, channel);
  return [...seen.values()];
}

/** Headlines of one group and one unit belong in one plot; with more runs than one each has its own, for the runs to be told apart. */
function first_plots(channels: Channel[], runs: number): Channel[][] {
  const plots = new Map<string, Channel[]>();
  for (const channel of channels.filter((other) => other.headline)) {
    const key = channel.group && runs === 1 ? JSON.stringify([channel.group, channel.unit ?? '']) : JSON.stringify(channel.name);
    plots.set(key, [...(plots.get(key) ?? []), channel]);
  }
  return plots.size ? [...plots.values()] : channels.slice(0, kAtFirst).map((channel) => [channel]);
}

export class TimePlots {
  readonly element: HTMLElement;
  readonly plots: TimePlot[] = [];
  readonly search: ChannelSearch;
  private readonly list = make('div', { class: 'plot-list' });
  private readonly times: Float64Array[];
  private readonly shared: Shared;

  constructor(private readonly report: Report, private readonly player: Player) {
    this.times = report.runs.map((run) => decode(run.times));
    this.shared = {
      player,
      range: [player.start, player.end],
      axis: report.runs[0]?.axis ?? { label: 'time', unit: 's' },
      zoom: (range) => {
        this.shared.range = range;
        this.redraw();
      },
    };
    const channels = channels_of(report);
    this.search = new ChannelSearch(channels, (channel) => this.toggle(channel), (channel) => this.shows(channel));
    this.element = make('div', { class: 'plots' }, this.search.element, this.list);
    for (const group of first_plots(channels, report.runs.length)) this.add(group);
    new ResizeObserver(() => this.resize()).observe(this.list);
  }

  private shows(channel: Channel): boolean {
    return this.plots.some((plot) => plot.channels.includes(channel));
  }

  private add(channels: Channel[]): void {
    const plot = new TimePlot(channels, this.report.runs, this.times, this.shared, () => this.remove(plot));
    this.plots.push(plot);
    this.list.append(plot.element);
    this.settle();
  }

  private remove(plot: TimePlot): void {
    this.plots.splice(this.plots.indexOf(plot), 1);
    plot.element.remove();
    plot.plot.destroy();
    this.settle();
    this.search.refresh();
  }

  private toggle(channel: Channel): void {
    const shown = this.plots.filter((plot) => plot.channels.includes(channel));
    if (shown.length) shown.forEach((plot) => this.remove(plot));
    else this.add([channel]);
  }

  /** Marks of all plots are labelled on the first. */
  private settle(): void {
    this.plots.forEach((plot, k) => (plot.labels = k === 0));
    this.resize();
    this.redraw();
  }

  private resize(): void {
    const width = this.list.clientWidth;
    for (const plot of this.plots) plot.resize(width);
    this.show(this.player.time);
  }

  redraw(): void {
    for (const plot of this.plots) plot.redraw();
  }

  show(t: number): void {
    for (const plot of this.plots) plot.show(t);
  }
}
