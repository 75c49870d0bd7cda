// What tests and scripts may ask of the page: window.semirec.
import type { Player } from './player';
import type { TimePlots } from './plots/time_plots';
import type { ModeControls } from './panels/mode_controls';
import type { Place } from './scene/cameras';
import type { Stage } from './scene/stage';
import type { View } from './scene/view';

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
}

declare global {
  interface Window { semirec?: TestInterface }
}

export function test_interface(player: Player, plots: TimePlots, stage: Stage | null, view: View | null, modes: ModeControls | null): TestInterface {
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
  };
}
