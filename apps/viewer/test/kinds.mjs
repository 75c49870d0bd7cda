// A report of each kind that the program writes, from the made-up car.
import { poses, report } from './car.mjs';

/** Standing still: one frame, no channels. */
function standing(kind, title) {
  const whole = report({ until: 0.02, ghosts: 0 });
  const still = whole.runs[0].poses;
  return { ...whole, kind, title, runs: [{ name: 'standing', poses: still, arrows: [], channels: [], marks: [] }], charts: [], modes: [], tables: [], answers: [] };
}

export const kSamples = 80;
/** Factors and responses of sample k by closed form. */
export const spring_of = (k) => 0.8 + (0.45 * k) / (kSamples - 1);
export const bar_of = (k) => 400 * 4 ** (((k * 37) % kSamples) / (kSamples - 1));
export const roll_of = (k) => (k === 7 ? NaN : 0.08 / spring_of(k) - 1e-5 * bar_of(k));
export const kDrawn = 12;    // the sample that is drawn with its own values
export const kRaised = 0.2;  // m, its chassis

/** A study of the made-up car: two numbers, a word, two responses; sample 7 has failed. */
export function study(names = ['spring (factor)', 'bar', 'bush', 'roll.peak', 'yaw_rate.peak', 'front <b>k</b>']) {
  const all = Array.from({ length: kSamples }, (_, k) => k);
  const whole = standing('sweep', 'study of a made-up car');
  whole.runs[0].poses = { times: f32([0]), bodies: f32(poses(0)) };
  const pose = poses(0);
  pose[9] += kRaised;
  const nose = whole.model.shapes.findIndex((shape) => shape.type === 'sphere');
  whole.study = {
    samples: all.map((k) => 10 * k),
    columns: [
      { name: names[0], unit: '1', settings: ['spring_f*.k=*'], values: all.map(spring_of) },
      { name: names[1], unit: 'N m/rad', log: true, settings: ['bar.stiffness='], values: all.map(bar_of) },
      { name: names[2], unit: '', words: ['soft', names[5]], settings: ['bush.type='], values: all.map((k) => k % 2) },
      { name: names[3], unit: 'rad', response: true, values: f32(all.map(roll_of)) },
      { name: names[4], unit: 'rad/s', response: true, values: f32(all.map((k) => 0.4 + 0.01 * Math.sin(k))) },
    ],
    failures: [{ row: 7, why: `stopped at 0.4 s: ${names[5]}` }],
    commands: ['semirec run car.xml step.xml --until 2', 'semirec kc car.xml'],
    cars: [{ row: kDrawn, poses: f32(pose), shapes: [{ place: nose, shape: { ...whole.model.shapes[nose], radius: 0.3 } }] },
      { row: 3, poses: 'none', shapes: [{ place: 9999, shape: null }, { place: 0, shape: { type: 'cylinder', body: 99 } }] }, { row: 'x' }],
    drawn: '1 of 80 samples is drawn with its own values',
  };
  return whole;
}

export const kTravel = 0.08;  // m each way
export const kRoll = 0.05;    // rad each way
export const camber_of = (travel) => -0.3 * travel;

/** A rig with two tests: the first wheel travels, the chassis rolls; the charts of each over its own axis. */
export function rig() {
  const whole = standing('kc', 'rig of a made-up car');
  const grid = (reach) => Array.from({ length: 21 }, (_, k) => (reach * (k - 10)) / 10);
  const frame = (travel, roll) => {
    const pose = poses(0);
    pose[7 * 2 + 2] += travel;
    pose.splice(7 + 3, 4, Math.sin(0.5 * roll), 0, 0, Math.cos(0.5 * roll));
    return pose;
  };
  const run = (name, charts, axis, values, of) => ({ name, charts, axis, poses: { times: f32(values), bodies: f32(values.flatMap(of)) }, arrows: [], channels: [], marks: [] });
  const chart = (title, label, unit, values, of) => ({ title, x: { label, unit }, y: { label: 'y', unit: 'rad' }, series: [{ name: 'left', x: f32(values), y: f32(values.map(of)) }] });
  whole.runs = [run('front parallel', 'parallel travel', { label: 'travel', unit: 'm' }, grid(kTravel), (x) => frame(x, 0)),
    run('roll', 'roll', { label: 'roll', unit: 'rad' }, grid(kRoll), (x) => frame(0, x))];
  whole.charts = [chart('parallel travel: camber', 'travel', 'm', grid(kTravel), camber_of), chart('roll: steer', 'roll', 'rad', grid(kRoll), (x) => 0.1 * x),
    chart('parallel travel: toe', 'travel', 'm', grid(kTravel), (x) => 0.02 * x)];
  return whole;
}

/** Two runs without a model, the second with its differences to the first, at half as many times. */
export function differences() {
  const times = Array.from({ length: 101 }, (_, k) => 0.05 * k);
  const few = times.filter((_, k) => k % 2 === 0);
  const run = (name, at, channels) => ({ name, times: f32(at), arrows: [], marks: [], channels });
  const channel = (name, at, of) => ({ name, unit: 'rad', values: f32(at.map(of)), headline: true });
  return { format: 1, kind: 'report', title: '2 runs: differences to soft', model: { name: '', bodies: [], shapes: [], elements: [], suspects: [] },
    runs: [run('soft', times, [channel('chassis.roll', times, (t) => Math.sin(t)), channel('chassis.wz', times, (t) => Math.cos(t))]),
      run('stiff', few, [channel('chassis.roll', few, (t) => 0.9 * Math.sin(t)), channel('chassis.roll, difference', few, (t) => -0.1 * Math.sin(t)), channel('chassis.wz', few, (t) => Math.cos(t))])],
    tables: [{ title: 'largest differences', columns: [{ name: 'channel' }, { name: 'largest difference' }, { name: 'unit' }], rows: [['chassis.roll', -0.1, 'rad']] }] };
}

export function kinds() {
  const info = standing('info', 'made-up car');
  info.model.suspects = [{ text: "element 'front_left spring': stands on the other side of the car than its name says", body: 1, point: [1.3, 0.4, 0.2] }];
  const modes = { ...standing('modes', 'modes of made-up car'), modes: report({ until: 0.02, ghosts: 0 }).modes };
  const kc = report({ until: 1, ghosts: 0 });
  kc.kind = 'kc';
  kc.runs[0].axis = { label: 'wheel travel', unit: 'm' };
  kc.runs[0].arrows = [];
  const plain = (kind) => ({ ...report({ until: 1, ghosts: 0 }), kind });
  const bodiless = (kind) => ({ ...plain(kind), model: { name: '', bodies: [], shapes: [], elements: [], suspects: [] }, road: { meshes: [] }, modes: [] });
  return { run: plain('run'), info, manoeuvre: plain('manoeuvre'), compare: { ...report({ until: 1, ghosts: 3 }), kind: 'compare' }, kc, rig: rig(), modes,
    equilibrium: { ...standing('equilibrium', 'made-up car in balance'), road: { meshes: [] } }, sweep: study(), report: differences(), realtime: plain('realtime'), import: standing('import', 'imported car'),
    least: { format: 1, kind: 'run', title: 'nothing' } };
}

export const kHostile = ['<script>window.pwned = 1</script>', '"><img src=x onerror="window.pwned=2">', "it's \\ a \"name\"", '\u202eabc def \u05d0\u05d1\u05d2',
  'very_long_'.repeat(500), '__proto__', '</script><b>bold', '\u2028line\u2029'];

/** Each name of a file is one of the hostile ones. */
export function hostile() {
  const whole = report({ until: 1, ghosts: 1 });
  let k = 0;
  const next = () => kHostile[k++ % kHostile.length];
  whole.title = kHostile.join(' ');
  whole.subtitle = next();
  whole.command = next() + next();
  whole.status = next();
  whole.warnings = [...kHostile];
  whole.notes = [...kHostile];
  whole.answers = kHostile.map((name) => ({ name, value: next(), unit: next().slice(0, 20), note: next() }));
  whole.facts = kHostile.map((name) => ({ name, value: 1, unit: '' }));
  for (const body of whole.model.bodies) body.name = next();
  for (const shape of whole.model.shapes) shape.of = next();
  for (const element of whole.model.elements) Object.assign(element, { name: next(), kind: next(), text: next() });
  whole.model.suspects = kHostile.map((text) => ({ text, body: 1, point: [0, 0, 0] }));
  for (const run of whole.runs) {
    run.name = next();
    run.channels.slice(0, kHostile.length).forEach((channel, c) => Object.assign(channel, { name: kHostile[c], unit: kHostile[(c + 1) % kHostile.length], group: kHostile[(c + 2) % kHostile.length] }));
    run.marks = [{ time: 0.3, label: next() }, { time: 0.31, label: next() }, { time: 'x', label: 3 }];
  }
  for (const chart of whole.charts) {
    chart.title = next();
    chart.x.label = next();
    chart.y.unit = next();
    for (const series of chart.series) series.name = next();
  }
  for (const mode of whole.modes) mode.name = next();
  for (const table of whole.tables) {
    table.title = next();
    for (const column of table.columns) column.name = next();
    table.rows = table.rows.map((row) => row.map(() => next()));
  }
  whole.study = study(kHostile.slice(0, 6)).study;
  return whole;
}

const f32 = (values) => ({ f32: Buffer.from(Float32Array.from(values).buffer).toString('base64') });

/** Numbers that are none, values of the wrong kind, shapes that are not whole. */
export function broken() {
  const whole = report({ until: 1, ghosts: 1 });
  const [run, ghost] = whole.runs;
  const times = Array.from({ length: 51 }, (_, k) => 0.02 * k);
  // a run that failed at 0.5 s
  run.poses = { times: f32(times), bodies: f32(times.flatMap((t) => (t < 0.5 ? poses(t) : Array(7 * whole.model.bodies.length).fill(NaN)))) };
  ghost.poses.bodies = 'no numbers';
  run.channels[0].values = 'no numbers';
  run.channels[1].values = [1, null, 'x', 3];
  run.channels[2].values = f32(times.map((t) => (t < 0.5 ? t : NaN)));
  run.arrows[0].force = null;
  run.arrows[1].at = f32(Array(153).fill(NaN));
  run.marks.push({}, { time: null, label: null }, null);
  whole.status = 'failed: 0.5 s: the iteration did not converge';
  whole.answers.push({ name: null, value: null }, { value: 1e300, uncertainty: 'x' }, null, 3);
  whole.charts.push({ title: 'empty', x: {}, y: { log: true }, series: [{ name: 'nothing', x: [], y: [] }, { name: 'below zero', x: [1, 2], y: [-1, 0] }] }, {});
  whole.modes.push({ name: 'none', frequency: null, shape: 'x' });
  whole.tables.push({ title: 'ragged', columns: [{ name: 'a' }], rows: [[1, 2, 3], [], 'x', [null]] }, { rows: 3 });
  whole.model.shapes.push({ type: 'cylinder', body: 1, a: [0, 0, 0] }, { type: 'cylinder', body: 99, a: [0, 0, 0], b: [1, 0, 0], radius: 1 },
    { type: 'cylinder', body: 1, a: [0, 0, 0], b: [0, 0, 0], radius: 0.1 }, { type: 'cylinder', body: 1, a: [0, 0, 0], b: [1, 0, 0], radius: null },
    { type: 'hull', body: 1, points: [[0, 0, null]] }, { type: 'hull', body: 1, points: [[0, 0, 0], [0, 0, 0]] }, { type: 'hull', body: 1 },
    { type: 'wheel', body: 2, centre: [0, 0, 0], axis: [0, 0, 0], radius: 0.3, width: 0.2, rim_radius: 0.5 }, { type: 'wheel', body: 2 },
    { type: 'between', a: { body: 1, point: [0, 0, 0] }, b: { body: 1, point: [0, 0, 0] }, radius: 0.05, role: 'spring' },
    { type: 'between', a: { body: 1, point: [0, 0, 0] }, b: { body: 98, point: [0, 0, 0] }, radius: 0.05 },
    { type: 'mesh', body: 1, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 7, 0, 1, 2] }, { type: 'outline', body: 1, lines: [[0, 0, 0]] },
    { type: 'box', body: 1, size: [1, 1, 1], colour: 'url(x)' }, { type: 'no such shape', body: 1 }, null, 7);
  whole.road.meshes.push({}, { positions: 'x', indices: [0, 1, 2] });
  return whole;
}
