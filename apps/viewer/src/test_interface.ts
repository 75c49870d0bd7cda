// What tests and scripts may ask of the page: window.semirec.
import type { Player } from './player';
import type { TimePlots } from './plots/time_plots';
import type { ModeControls } from './panels/mode_controls';
import type { Place } from './scene/cameras';
import type { Stage } from './scene/stage';
import type { View } from './scene/view';
import type { StudyPage } from './study/study_page';

export interface TestInterface {
  ready: boolean;
  opened: number;
  time: () => number;
  seek: (t: number) => void;
  play: (on: boolean) => void;
  /** x y z qx qy qz qw of a body as it is drawn; null without a 3-D view */
  pose: (body: number, run?: number) => number[] | null;
  /** times where the cursors of the plots stand, read from their places on the page */
  cursors: () => number[];
  /** the numbers in the keys of the plots */
  numbers: () => string[][];
  cars: () => number;
  rate: () => number;
  quality: () => number;
  camera: (place: Place) => void;
  mode: (index: number | null) => void;
  /** of a rig: chooses a test; where the cursors of the charts stand, null for those without */
  rig: (index: number) => void;
  chart_cursors: () => (number | null)[];
  /** of a study: places on the page, how many samples are kept, which one is picked */
  on_axis: (column: number, value: number) => [number, number] | null;
  on_matrix: (across: number, up: number, row: number) => [number, number] | null;
  kept: () => number;
  pick: (row: number) => void;
  picked: () => number;
}

declare global {
  interface Window { semirec?: TestInterface }
}

export function test_interface(player: Player, plots: TimePlots, stage: Stage | null, view: View | null, modes: ModeControls | null, study: StudyPage | null,
  rig: { choose: (index: number) => void; cursors: () => (number | null)[] } | null): TestInterface {
  return {
    ready: true,
    opened: performance.now(),
    time: () => player.time,
    seek: (t) => player.seek(t),
    play: (on) => player.play(on),
    pose: (body, run = 0) => {
      const group = stage?.cars[run]?.bodies[body];
      return group ? [...group.position.toArray(), ...group.quaternion.toArray()] : null;
    },
    cursors: () => plots.plots.map((plot) => plot.cursor_time()),
    numbers: () => plots.plots.map((plot) => plot.key.texts),
    cars: () => stage?.cars.filter((car) => car.group.visible).length ?? 0,
    rate: () => view?.counter.rate ?? 0,
    quality: () => view?.quality.level ?? 0,
    camera: (place) => view?.take(place),
    mode: (index) => modes?.choose(index),
    rig: (index) => rig?.choose(index),
    chart_cursors: () => rig?.cursors() ?? [],
    on_axis: (column, value) => study?.parallel.place(column, value) ?? null,
    on_matrix: (across, up, row) => study?.scatter.place(across, up, row) ?? null,
    kept: () => study?.samples.kept_count ?? 0,
    pick: (row) => study?.samples.pick(row),
    picked: () => study?.samples.picked ?? -1,
  };
}
