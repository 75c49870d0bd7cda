// Switches of the 3-D view: camera, what is shown, the scale of the arrows.
import { make } from '../dom';
import { number_text } from '../format';
import { kPlaces } from '../scene/cameras';
import type { Place } from '../scene/cameras';
import type { Shown, Stage } from '../scene/stage';
import type { View } from '../scene/view';
import { by_turns } from './rig_controls';

const kDecades = 2;  // the slider goes so far to each side, in powers of ten over two

function tick(label: string, title: string, on: boolean, act: (on: boolean) => void): HTMLElement {
  const box = make('input', { type: 'checkbox', checked: on });
  box.addEventListener('change', () => act(box.checked));
  return make('label', { title }, box, label);
}

export function view_controls(view: View, stage: Stage): HTMLElement {
  const { report } = stage;
  const place = make('select', { title: 'camera', 'aria-label': 'camera' });
  for (const name of kPlaces) {
    if (name === 'wheel' && !stage.seats.wheel) continue;
    place.append(make('option', { value: name, selected: name === view.rig.place }, name));
  }
  place.addEventListener('change', () => view.take(place.value as Place));
  view.taken = (now) => (place.value = now);
  const row = make('div', { class: 'controls' }, make('label', {}, 'camera ', place));
  const add = (key: keyof Shown, label: string, title: string): void => {
    row.append(tick(label, title, stage.shown[key], (on) => {
      stage.shown[key] = on;
      stage.apply();
      stage.show_again();
      view.invalidate();
    }));
  };
  const shapes = report.model.shapes;
  if (shapes.some((shape) => ['box', 'sphere', 'mesh'].includes(shape.type))) add('body', 'body', 'what hides the suspension');
  if (shapes.some((shape) => ['joint', 'bushing', 'com'].includes(shape.type))) {
    add('glyphs', 'joints', 'joints (cut ones in orange with a ring), bushings, centres of mass');
  }
  if (stage.tracks.some((track) => track.frames > 1) && !by_turns(report.runs)) add('trace', 'trace', 'the way of the chassis');
  if (stage.tracks.length > 1) add('ghosts', 'other runs', report.runs.slice(1).map((run) => run.name).join(', '));
  if (report.road.meshes.length) add('road', 'road', 'blue: friction below 1, orange: above');
  if (stage.forces.length) {
    add('arrows', 'forces', 'of tyres in orange, loads in green');
    if (stage.forces.some((force) => force.kind === 'joint')) add('joint_forces', 'joint forces', 'of side a of each joint on its side b, in blue');
    if (stage.forces.some((force) => force.kind === 'rod')) add('rod_forces', 'rods and springs', 'the force of each rod, spring and damper on its end b, in pink: along it; of links see the joints');
    const natural = stage.metres_a_newton;
    const scale = make('input', { type: 'range', min: String(-kDecades), max: String(kDecades), step: '0.05', value: '0', title: 'length of the arrows', 'aria-label': 'length of the arrows' });
    const text = make('output', { class: 'scale' });
    const set = (): void => {
      stage.metres_a_newton = natural * 10 ** (Number(scale.value) / 2);
      text.textContent = `1 m: ${number_text(1 / stage.metres_a_newton, 2)} N`;
      stage.show_again();
      view.invalidate();
    };
    scale.addEventListener('input', set);
    row.append(make('span', { class: 'pair' }, scale, text));
    set();
  }
  return row;
}
