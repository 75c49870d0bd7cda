// The seat: a drive that is going on, seen and steered. The program steps the car; this page shows what it says and sends
// what the driver's hands do.
import { on_theme } from '../colours';
import type { Report } from '../contract';
import { button, make, section, words_of } from '../dom';
import { about } from '../panels/about';
import { header, link_sections } from '../panels/header';
import { facts } from '../panels/values';
import { view_controls } from '../panels/view_controls';
import { Track, kPose } from '../poses';
import { Stage } from '../scene/stage';
import { View, open_surface } from '../scene/view';
import { Connection } from './connection';
import type { Hello, Moment, Role } from './connection';
import { DashBoard } from './dash';
import { Hands } from './hands';
import { Sliders } from './sliders';
import { TyreForces } from './tyre_forces';

const kSendEvery = 20;  // ms
const kArrows = 0.6;    // longer than in a report, since they are seen from behind the wheels
const kSpeeds = [0.05, 0.1, 0.2, 0.5, 1];
const kHelp: [string, string][] = [
  ['steer', 'left and right, or A and D'], ['throttle', 'up, or W'], ['brake', 'down, or S; at once: space'],
  ['gear', 'E up, Q down'], ['back to the start', 'R'], ['pause', 'P'], ['gamepad', 'left stick and triggers'],
];

export interface SeatInterface {
  role: () => Role;
  time: () => number;
  moments: () => number;
  output: (name: string) => number;
  /** x y z qx qy qz qw of a body */
  pose: (body: number) => number[];
  /** the same of the first body where the drive starts */
  start: () => number[];
  notices: () => string[];
  /** cones that were hit */
  cones_hit: () => number;
}
declare global {
  interface Window { seat?: SeatInterface }
}

export function open_seat(report: Report, faults: string[]): void {
  document.title = report.title;
  const track = new Track(report.runs[0] ?? { name: '', arrows: [], channels: [], marks: [] }, report.model.bodies.length);
  const pose = (body: number): number[] => [...(track.poses[body]?.p.toArray() ?? []), ...(track.poses[body]?.q.toArray() ?? [])];
  const at_start = pose(1);
  const page = make('div', { id: 'page', class: 'seat' }, header(report, faults));
  const holder = make('div', { class: 'view' });
  const state = make('output', { class: 'seat-state', 'aria-live': 'polite' }, 'connecting');
  const notices = make('ul', { class: 'lines note', 'aria-label': 'what happened', hidden: true });
  const box = section('view', '3-D view', holder);
  const desk = make('main', {}, make('div', { class: 'desk one' }, box), make('div', { class: 'panels' }, ...facts(report.facts), about(report)));
  page.append(desk);
  document.body.append(page);

  let stage: Stage | null = null;
  let view: View | null = null;
  const surface = open_surface();
  if (surface) {
    stage = new Stage(report, [track]);
    stage.shown.glyphs = false;
    stage.apply();
    view = new View(holder, stage, surface);
    view.take('follow');
  } else {
    holder.classList.add('none');
    holder.append('This browser has no WebGL: the car is not drawn.');
  }

  let hello: Hello | null = null;
  let dash: DashBoard | null = null;
  let tyres: TyreForces | null = null;
  let sliders: Sliders | null = null;
  let last: Moment | null = null;
  let role: Role = 'free';
  let count = 0;
  let open = true;
  /** the controls are those of the car */
  let begun = false;
  const said: string[] = [];

  const say = (text: string): void => {
    said.push(text);
    notices.hidden = false;
    notices.replaceChildren(...said.slice(-3).map((line) => words_of(line, 'li')));
  };
  const show_state = (): void => {
    const text = !open ? 'the drive is over'
      : role === 'watcher' ? 'someone else drives'
        : role === 'free' ? 'nobody drives'
          : last?.failed ? 'the step failed: start again'
            : last?.silent ? 'not heard for half a second: the car brakes'
              : last?.paused ? 'paused' : 'you drive';
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle('bad', !open || (last?.failed ?? false) || (last?.silent ?? false));
  };

  /** Once the forces that the arrows are to be scaled to are known. */
  const show_view_controls = (): void => {
    if (!view || !stage) return;
    if (tyres) stage.show_forces(tyres.forces, kArrows * tyres.typical());
    notices.before(view_controls(view, stage));
  };

  const connection = new Connection({
    hello: (given) => {
      hello = given;
      dash = new DashBoard(given, report.road.cones.length > 0);
      holder.after(dash.element);
      tyres = new TyreForces(given);
      sliders = new Sliders(given.sliders, (slider, factor) => connection.send({ type: 'change', slider, factor }));
      if (given.sliders.length) keys.before(sliders.element);
      connection.send({ type: 'drive' });
    },
    role: (now) => {
      if (now !== role) begun = false;
      // a wheel that has become free is taken by whoever looks on
      if (now === 'free' && role !== 'driver') connection.send({ type: 'drive' });
      role = now;
      show_state();
    },
    notice: say,
    factors: (factors) => sliders?.take(factors),
    moment: (moment) => {
      last = moment;
      ++count;
      if (!begun && hello) {
        begun = true;
        const at = (input: number | undefined): number => (input === undefined ? 0 : moment.outputs[input]);
        const { steering, throttle, brake, gear } = hello.inputs;
        hands.take_over({ steering: at(steering) / (hello.dash.steering_ratio || 1), throttle: at(throttle), brake: at(brake), gear: Math.round(at(gear)) });
      }
      for (let body = 0; body < track.poses.length; ++body) {
        const p = kPose * body;
        const v = moment.poses;
        track.poses[body].p.set(v[p], v[p + 1], v[p + 2]);
        track.poses[body].q.set(v[p + 3], v[p + 4], v[p + 5], v[p + 6]);
      }
      tyres?.take(moment);
      if (stage) stage.hit = moment.hit;
      if (count === 1) show_view_controls();
      stage?.show_now();
      view?.invalidate();
      dash?.show(moment);
      show_state();
    },
    closed: () => {
      open = false;
      show_state();
    },
  });

  const reset = (): void => connection.send({ type: 'reset' });
  const pause = (): void => connection.send({ type: 'pause', on: !(last?.paused ?? false) });
  const save = (): void => connection.send({ type: 'save' });
  const hands = new Hands(holder, (key) => {
    if (key === 'KeyR') reset();
    else if (key === 'KeyP') pause();
    else if (key === 'KeyE') hands.shift(1);
    else if (key === 'KeyQ') hands.shift(-1);
    else return false;
    return true;
  });

  const speed = make('select', { title: 'speed of time', 'aria-label': 'speed of time' });
  for (const factor of kSpeeds) speed.append(make('option', { value: String(factor), selected: factor === 1 }, `${factor}\u00d7`));
  speed.addEventListener('change', () => {
    connection.send({ type: 'speed', factor: Number(speed.value) });
    speed.blur();
  });
  const mouse = make('input', { type: 'checkbox' });
  mouse.addEventListener('change', () => (hands.mouse = mouse.checked));
  box.append(make('div', { class: 'controls' }, state,
    button('start again', 'back to the start, and a new recording (R)', reset),
    button('pause', 'stand still, or go on (P)', pause),
    button('save', 'write the drive since its start as a scenario', save), speed,
    make('label', { title: 'left and right over the view steers, up and down are the pedals' }, mouse, 'mouse')));
  const keys = make('details', { class: 'keys' }, make('summary', {}, 'keys'),
    make('dl', {}, ...kHelp.flatMap(([what, how]) => [make('dt', {}, what), make('dd', {}, how)])));
  box.append(notices, keys);
  link_sections(page);

  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    const held = hands.advance(Math.min((now - before) / 1000, 0.1), last && dash ? dash.speed(last) : 0);
    before = now;
    if (role === 'driver' && open && begun) connection.send({ type: 'inputs', ...held });
  }, kSendEvery);
  on_theme(() => {
    stage?.build();
    stage?.show_now();
    view?.draw();
  });
  window.seat = {
    role: () => role,
    time: () => last?.t ?? NaN,
    moments: () => count,
    output: (name) => {
      const at = hello?.channels.findIndex((channel) => channel.name === name) ?? -1;
      return at >= 0 && last ? last.outputs[at] : NaN;
    },
    pose,
    start: () => at_start,
    notices: () => said,
    cones_hit: () => last?.hit.reduce((sum, one) => sum + one, 0) ?? 0,
  };
}
