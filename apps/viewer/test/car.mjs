// A made-up car on a circle, by closed form: what the page must show can be worked out here.
export const kRadius = 30;      // m, of the circle
export const kSpeed = 12;       // m/s
export const kHeight = 0.55;    // m, of the chassis' frame
export const kWheel = 0.31;     // m
export const kBounce = 0.03;    // m
export const kBounceRate = 9;   // rad/s
export const kChassis = 1;
const kCorners = [['front_left', 1.3, 0.75], ['front_right', 1.3, -0.75], ['rear_left', -1.3, 0.75], ['rear_right', -1.3, -0.75]];

const about_z = (a) => [0, 0, Math.sin(a / 2), Math.cos(a / 2)];
const about_y = (a) => [0, Math.sin(a / 2), 0, Math.cos(a / 2)];
const times_q = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz];

/** x y z qx qy qz qw of the chassis on a circle of `radius`. */
export function chassis_pose(t, radius = kRadius) {
  const angle = (kSpeed * t) / radius;
  return [radius * Math.sin(angle), radius * (1 - Math.cos(angle)), kHeight + kBounce * Math.sin(kBounceRate * t), ...about_z(angle)];
}

function wheel_pose(t, radius, x, y) {
  const angle = (kSpeed * t) / radius;
  const [px, py] = chassis_pose(t, radius);
  const c = Math.cos(angle), s = Math.sin(angle);
  const turn = times_q(about_z(angle), about_y((kSpeed * t) / kWheel));
  return [px + c * x - s * y, py + s * x + c * y, kWheel, ...turn];
}

export function poses(t, radius) {
  return [[0, 0, 0, 0, 0, 0, 1], chassis_pose(t, radius), ...kCorners.map(([, x, y]) => wheel_pose(t, radius, x, y)),
    ...kCorners.map(([, x, y]) => { const p = wheel_pose(t, radius, x, y); return [p[0], p[1], p[2], ...about_z((kSpeed * t) / radius)]; })].flat();
}

export const roll_angle = (t) => 0.05 * Math.sin(2 * t);          // rad
export const yaw_rate = (t, radius = kRadius) => kSpeed / radius + 0.02 * Math.cos(3 * t);  // rad/s

const f32 = (values) => ({ f32: Buffer.from(Float32Array.from(values).buffer).toString('base64') });
const u32 = (values) => ({ u32: Buffer.from(Uint32Array.from(values).buffer).toString('base64') });
/** Differences of whole steps of `scale`. */
function i16d(values, scale) {
  let sum = 0;
  const steps = values.map((x) => { const step = Math.round(x / scale) - sum; sum += step; return step; });
  return { i16d: Buffer.from(Int16Array.from(steps).buffer).toString('base64'), scale, offset: 0 };
}
/** Whole numbers in groups of seven bits from the lowest, negative ones as -2 n - 1. */
function groups(numbers) {
  const bytes = [];
  for (const n of numbers) {
    let rest = n < 0 ? -2 * n - 1 : 2 * n;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes).toString('base64');
}
const differences = (numbers) => numbers.map((n, k) => (k === 0 ? n : n - numbers[k - 1]));
const whole = (values, scale) => values.map((x) => Math.round(x / scale));
const vd = (values, scale) => ({ vd: groups(differences(whole(values, scale))), scale, offset: 0 });
const vdd = (values, scale) => ({ vdd: groups(differences(differences(whole(values, scale)))), scale, offset: 0 });
const grid = (until, step) => Array.from({ length: Math.round(until / step) + 1 }, (_, k) => k * step);

function model() {
  const bodies = [{ name: 'ground', line: 0, com: [0, 0, 0], mass: 0 }, { name: 'chassis', line: 12, com: [0.05, 0, 0.02], mass: 1250 }];
  const shapes = [
    { type: 'outline', body: 1, role: 'chassis', of: 'chassis', line: 12, lines: outline() },
    { type: 'com', body: 1, point: [0.05, 0, 0.02], of: 'chassis', line: 12 },
    { type: 'box', body: 1, frame: { p: [0, 0, 0.05], q: [0, 0, 0, 1] }, size: [3.9, 1.3, 0.3], of: 'hull', line: 90 },
    { type: 'box', body: 1, frame: { p: [-0.3, 0, 0.45], q: [0, 0, 0, 1] }, size: [1.7, 1.2, 0.5], colour: '#9fb7c9', of: 'cabin', line: 91 },
    { type: 'sphere', body: 1, centre: [1.9, 0, 0.1], radius: 0.08, colour: '#d9d9d9', of: 'nose', line: 92 },
  ];
  const elements = [{ name: 'chassis', kind: 'body', line: 12, text: 'mass 1250 kg', body: 1, point: [0.05, 0, 0.02] }];
  kCorners.forEach(([name, x, y], k) => {
    const side = Math.sign(y);
    const rim = 2 + k, knuckle = 6 + k;
    const line = 20 + 10 * k;
    shapes.push(
      { type: 'wheel', body: rim, centre: [0, 0, 0], axis: [0, 1, 0], radius: kWheel, width: 0.2, rim_radius: 0.2, of: `${name} wheel`, line },
      { type: 'hull', body: 1, role: 'arm', points: [[x + 0.15, 0.35 * side, -0.2], [x - 0.2, 0.35 * side, -0.2], [x, y - 0.1 * side, -0.24]], of: `${name} lower arm`, line: line + 1 },
      { type: 'hull', body: 1, role: 'arm', points: [[x + 0.1, 0.4 * side, 0.02], [x - 0.1, 0.4 * side, 0.02], [x, y - 0.12 * side, 0]], of: `${name} upper arm`, line: line + 2 },
      { type: 'hull', body: knuckle, role: 'knuckle', points: [[0, -0.1 * side, -0.1], [0, -0.12 * side, 0.24], [0.12, -0.1 * side, 0], [0, 0, 0]], of: `${name} knuckle`, line: line + 3 },
      { type: 'between', role: 'spring', a: { body: knuckle, point: [0, -0.2 * side, 0] }, b: { body: 1, point: [x, 0.45 * side, 0.22] }, radius: 0.055, of: `${name} spring`, line: line + 4 },
      { type: 'between', role: 'damper', a: { body: knuckle, point: [0, -0.2 * side, 0] }, b: { body: 1, point: [x, 0.45 * side, 0.22] }, radius: 0.025, of: `${name} damper`, line: line + 5 },
      { type: 'between', role: 'rod', a: { body: knuckle, point: [0.12, -0.1 * side, 0] }, b: { body: 1, point: [x + 0.12, 0.35 * side, -0.18] }, radius: 0.012, of: `${name} track rod`, line: line + 6 },
      { type: 'joint', kind: 'revolute', body: 1, point: [x, 0.35 * side, -0.2], axis: [1, 0, 0], cut: false, of: `${name} arm joint`, line: line + 7 },
      { type: 'joint', kind: 'spherical', body: 1, point: [x, y - 0.1 * side, -0.24], axis: [0, 0, 1], cut: true, of: `${name} ball joint`, line: line + 8 },
      { type: 'bushing', body: 1, point: [x - 0.2, 0.35 * side, -0.2], axis: [1, 0, 0], of: `${name} bushing`, line: line + 9 },
    );
    elements.push({ name: `${name} ball joint`, kind: 'closure', line: line + 8, text: `spherical, cut; between '${name} lower arm' and '${name} knuckle'`, body: 1, point: [x, y - 0.1 * side, -0.24] });
    elements.push({ name: `${name} spring`, kind: 'spring', line: line + 4, text: 'stiffness 25000 N/m, free length 0.4 m', body: 1, point: [x, 0.45 * side, 0.22] });
  });
  shapes.push({ type: 'cylinder', body: 1, a: [1.42, -0.35, -0.18], b: [1.42, 0.35, -0.18], radius: 0.02, role: 'rack', of: 'rack', line: 80 },
    { type: 'cylinder', body: 1, a: [-1.3, -0.6, -0.2], b: [-1.3, 0.6, -0.2], radius: 0.012, role: 'bar', of: 'anti-roll bar', line: 81 });
  for (const [name] of kCorners) bodies.push({ name: `${name} rim`, line: 20, com: [0, 0, 0], mass: 18 });
  for (const [name] of kCorners) bodies.push({ name: `${name} knuckle`, line: 23, com: [0, 0, 0], mass: 9 });
  return { name: 'made-up car', file: 'made_up.xml', bodies, shapes, elements, suspects: [] };
}

function outline() {
  const low = [[2, 0.65, -0.1], [2, -0.65, -0.1], [-2, -0.65, -0.1], [-2, 0.65, -0.1]];
  const high = low.map(([x, y]) => [0.95 * x, 0.95 * y, 0.25]);
  const lines = [];
  for (let k = 0; k < 4; ++k) lines.push(low[k], low[(k + 1) % 4], high[k], high[(k + 1) % 4], low[k], high[k]);
  return lines;
}

function road() {
  const positions = [], indices = [], friction = [];
  const around = 96;
  for (let k = 0; k <= around; ++k) {
    const a = (2 * Math.PI * k) / around;
    for (const r of [kRadius - 5, kRadius, kRadius + 5]) {
      positions.push(r * Math.sin(a), kRadius - r * Math.cos(a), 0);
      friction.push(k > 8 && k < 20 && r <= kRadius ? 0.3 : 1);
    }
    if (k < around) for (const c of [0, 1]) indices.push(3 * k + c, 3 * k + 4 + c, 3 * k + 1 + c, 3 * k + c, 3 * k + 3 + c, 3 * k + 4 + c);
  }
  return { meshes: [{ name: 'ring', positions: f32(positions), indices: u32(indices), friction: f32(friction) }] };
}

export function run(name, radius, until, frame = 0.02, step = 0.01) {
  const frames = grid(until, frame);
  const times = grid(until, step);
  const arrows = kCorners.map(([corner, x, y]) => ({
    name: `${corner} tyre`, kind: 'tyre',
    at: f32(frames.flatMap((t) => { const p = wheel_pose(t, radius, x, y); return [p[0], p[1], 0]; })),
    force: f32(frames.flatMap((t) => { const a = (kSpeed * t) / radius; const f = 1250 * kSpeed ** 2 / radius / 4;
      return [-Math.sin(a) * f, Math.cos(a) * f, 3000 + 400 * Math.sin(kBounceRate * t)]; })),
  }));
  // a joint in the chassis' middle that carries a long force aside
  arrows.push({
    name: 'hitch', kind: 'joint', at: f32(frames.flatMap((t) => chassis_pose(t, radius).slice(0, 3))), force: f32(frames.flatMap(() => [20000, 20000, 20000])),
  });
  const channel = (label, unit, f, more = {}) => ({ name: label, unit, values: f32(times.map(f)), ...more });
  const channels = [
    channel('chassis.yaw_rate', 'rad/s', (t) => yaw_rate(t, radius), { headline: true, group: 'chassis', values: vdd(times.map((t) => yaw_rate(t, radius)), 1e-7) }),
    { name: 'chassis.roll', unit: 'rad', values: i16d(times.map(roll_angle), 1e-6), headline: true, group: 'chassis' },
    ...kCorners.map(([corner], k) => channel(`tyre.${corner}.vertical_force`, 'N', (t) => 3000 + 400 * Math.sin(kBounceRate * t + k), { headline: true, group: 'tyre' })),
    channel('steering_wheel', 'rad', (t) => 0.6 * (1 - Math.exp(-3 * t)), { group: 'driver', values: vd(times.map((t) => 0.6 * (1 - Math.exp(-3 * t))), 1e-7) }),
    channel('chassis.speed', 'm/s', () => kSpeed, { group: 'chassis' }),
    ...Array.from({ length: 40 }, (_, k) => channel(`strain.gauge_${k}`, 'µm/m', (t) => Math.sin(t + k), { group: 'gauges' })),
  ];
  return {
    name, channels, arrows, times: f32(times),
    poses: { times: f32(frames), bodies: f32(frames.flatMap((t) => poses(t, radius))) },
    marks: [{ time: 0.5, label: 'steer start' }, { time: 0.62, label: '90 %' }, { time: 0.7, label: 'peak', channel: 'chassis.roll' }],
  };
}

function charts() {
  const f = Array.from({ length: 200 }, (_, k) => 0.1 * 10 ** (k / 66));
  const loop = Array.from({ length: 101 }, (_, k) => (2 * Math.PI * k) / 100);
  return [
    { title: 'power spectral density of the vertical acceleration', x: { label: 'frequency', unit: 'Hz', log: true }, y: { label: 'PSD', unit: '(m/s²)²/Hz', log: true },
      series: [{ name: 'seat', x: f32(f), y: f32(f.map((x) => 1 / (0.01 + (x - 1.3) ** 2))) }, { name: 'floor', x: f32(f), y: f32(f.map((x) => 0.5 / (0.02 + (x - 8) ** 2))) }],
      marks: [{ x: 1.3, label: 'bounce' }, { x: 8, label: 'wheel hop' }] },
    { title: 'camber over wheel travel', x: { label: 'wheel travel', unit: 'm' }, y: { label: 'camber', unit: 'rad' },
      series: [{ name: 'left', x: loop.map((a) => 0.08 * Math.cos(a)), y: loop.map((a) => 0.02 * Math.cos(a) + 0.002 * Math.sin(a)) },
        { name: 'measured', points: true, x: [-0.08, 0, 0.08], y: [-0.02, 0.001, null] }] },
  ];
}

function modes(count) {
  const shape = (f) => Array.from({ length: count }, (_, b) => f(b)).flat();
  return [
    { name: 'bounce', frequency: 1.3, damping: 0.25, shape: f32(shape((b) => (b === 0 ? Array(12).fill(0) : [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]))) },
    { name: 'roll', frequency: 1.9, damping: 0.2, shape: f32(shape((b) => (b === 1 ? [0, 0, 0, 0, 1e-3, 0, 1, 0, 0, 0, 0, 0] : Array(12).fill(0)))) },
  ];
}

/** A whole report; `until` s long, `ghosts` other runs on other circles. */
export function report({ until = 10, ghosts = 1, frame = 0.02, step = 0.01 } = {}) {
  const car = model();
  return {
    format: 1, kind: 'run', title: 'made-up car in circle', subtitle: 'by closed form',
    command: 'semirec run made_up.xml circle.xml --report circle.html', version: 'semirec 0.1.0', fingerprint: '0123456789abcdef', status: 'finished',
    warnings: ['tyre.rear_left: load below 100 N for 0.02 s'], notes: ['drawn at 50 frames a second'],
    answers: [{ name: 'yaw_rate.steady', value: 0.4, unit: 'rad/s', uncertainty: 1.3e-6, note: 'mean of the last second' },
      { name: 'roll.peak', value: 0.05, unit: 'rad', uncertainty: 2e-5 }, { name: 'lifted', value: 'no wheel', unit: '' }],
    facts: [{ name: 'mass', value: 1358, unit: 'kg' }, { name: 'wheelbase', value: 2.6, unit: 'm' }, { name: 'bodies', value: 10, unit: '' }],
    model: car, road: road(),
    runs: [run('hybrid', kRadius, until, frame, step), ...Array.from({ length: ghosts }, (_, k) => run(`global ${k + 1}`, kRadius + 3 * (k + 1), until, frame, step))],
    charts: charts(), modes: modes(car.bodies.length),
    tables: [{ title: 'wheel loads', columns: [{ name: 'wheel', unit: '' }, { name: 'least', unit: 'N' }, { name: 'most', unit: 'N' }], rows: kCorners.map(([n], k) => [n, 2600 + k, 3400 - k]) }],
  };
}
