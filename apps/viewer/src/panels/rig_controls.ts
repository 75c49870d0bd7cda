// Picks a test of a rig: the slider goes over its axis, the car and the cursors of its charts follow.
import type { Run } from '../contract';
import { make } from '../dom';
import type { Player } from '../player';
import type { ChartPlot } from '../plots/chart';
import type { Track } from '../poses';

const kSeconds = 4;  // from one end of an axis to the other

/** Whether runs are shown by turns, each over its own axis. */
export const by_turns = (runs: Run[]): boolean => runs.length > 0 && runs.every((run) => run.charts !== undefined);

export class RigControls {
  readonly element: HTMLElement;
  private readonly pick = make('select', { 'aria-label': 'test' });
  private own: ChartPlot[] = [];
  index = 0;

  constructor(private readonly runs: Run[], private readonly player: Player, private readonly track: Track, private readonly charts: ChartPlot[]) {
    runs.forEach((run, k) => {
      const option = make('option', { value: String(k), dir: 'auto' });
      option.textContent = Array.from(run.name).slice(0, 60).join('');
      this.pick.append(option);
    });
    this.pick.addEventListener('change', () => this.choose(Number(this.pick.value)));
    for (const chart of charts) chart.seek = (x) => this.player.seek(x);
    this.element = make('div', { class: 'controls' }, make('label', {}, 'test ', this.pick));
    player.follow((x) => this.own.forEach((chart) => (chart.cursor = x)));
  }

  get axis(): Run['axis'] {
    return this.runs[this.index].axis;
  }

  /** Shows a test where its variable is nearest to 0. */
  choose(index: number): void {
    if (!this.runs[index]) return;
    this.index = index;
    this.pick.value = String(index);
    this.track.load(this.runs[index]);
    const { times } = this.track;
    const begins = this.runs[index].charts ?? '';
    for (const chart of this.charts) chart.cursor = null;
    this.own = this.charts.filter((chart) => chart.title === begins || chart.title.startsWith(`${begins}:`));
    this.player.stretch(times[0] ?? 0, times[times.length - 1] ?? 0, kSeconds);
    this.player.seek(0);
  }
}
