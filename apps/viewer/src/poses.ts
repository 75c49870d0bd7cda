// Where the bodies of a run are at a time.
import { Quaternion, Vector3 } from 'three';
import type { Run } from './contract';
import { decode, find_row } from './data';

export const kPose = 7;  // x y z qx qy qz qw

export interface Pose { p: Vector3; q: Quaternion }

interface Spinning { axis: Vector3; angles: Float64Array }

export class Track {
  times: Float64Array = new Float64Array(0);
  private values: Float64Array = new Float64Array(0);
  private spins = new Map<number, Spinning>();
  readonly poses: Pose[];

  /** `count` bodies. */
  constructor(run: Run, readonly count: number) {
    this.poses = Array.from({ length: count }, () => ({ p: new Vector3(), q: new Quaternion() }));
    this.load(run);
  }

  /** Follows a run from now on. One whose poses were cut short has as many frames as are whole. */
  load(run: Run): void {
    const values = decode(run.poses?.bodies, kPose * this.count);
    const times = decode(run.poses?.times);
    const frames = this.count ? Math.min(times.length, Math.floor(values.length / (kPose * this.count))) : 0;
    this.times = times.subarray(0, frames);
    this.values = values;
    this.spins = new Map(
      (run.spins ?? [])
        .map((spin): [number, Spinning] => [spin.body, { axis: new Vector3(...spin.axis), angles: decode(spin.angles) }])
        .filter(([, spin]) => spin.angles.length >= frames),
    );
    this.show(this.times[0] ?? 0);
  }

  /** Stands in these poses from now on: seven numbers a body. */
  stand(values: Float64Array): void {
    if (this.frames !== 1 || values.length < kPose * this.count) return;
    this.values = values;
    this.show(this.times[0]);
  }

  get frames(): number {
    return this.times.length;
  }

  private row(frame: number, body: number, p: Vector3, q: Quaternion): void {
    const v = this.values;
    const k = (frame * this.count + body) * kPose;
    p.set(v[k], v[k + 1], v[k + 2]);
    q.set(v[k + 3], v[k + 4], v[k + 5], v[k + 6]).normalize();
  }

  /** The turn between two attitudes: the shortest way, but about an axis that spins as far as it does. */
  private turn(q: Quaternion, next: Quaternion, frame: number, w: number, spin: Spinning | undefined): void {
    if (!spin) {
      q.slerp(next, w);
      return;
    }
    const [from, to] = [spin.angles[frame], spin.angles[frame + 1]];
    q.multiply(about.setFromAxisAngle(spin.axis, -from));
    q.slerp(next.multiply(about.setFromAxisAngle(spin.axis, -to)), w);
    q.multiply(about.setFromAxisAngle(spin.axis, from + w * (to - from)));
  }

  /** Writes `poses` for time `t`: linear in place, the shortest way round in orientation, spins apart. */
  show(t: number): void {
    if (this.frames === 0) return;
    const frame = find_row(this.times, t);
    const last = frame + 1 >= this.frames;
    const w = last ? 0 : Math.min(Math.max((t - this.times[frame]) / (this.times[frame + 1] - this.times[frame]), 0), 1);
    this.poses.forEach((pose, body) => {
      this.row(frame, body, pose.p, pose.q);
      if (w > 0) {
        this.row(frame + 1, body, next.p, next.q);
        pose.p.lerp(next.p, w);
        this.turn(pose.q, next.q, frame, w, this.spins.get(body));
      }
    });
  }

  /** The way of a point of a body, three numbers a frame, at most `most` frames; frames without a place are left out. */
  way(body: number, point: Vector3, most: number): Float32Array {
    const stride = Math.max(1, Math.ceil(this.frames / most));
    const way: number[] = [];
    for (let frame = 0; frame < this.frames; frame += stride) {
      this.row(frame, body, next.p, next.q);
      const at = point.clone().applyQuaternion(next.q).add(next.p);
      if (Number.isFinite(at.x + at.y + at.z)) way.push(at.x, at.y, at.z);
    }
    return Float32Array.from(way);
  }
}

const next: Pose = { p: new Vector3(), q: new Quaternion() };
const about = new Quaternion();
