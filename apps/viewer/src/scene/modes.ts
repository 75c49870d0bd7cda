// A mode shape moved about the standing car.
import { Quaternion, Vector3 } from 'three';
import type { Mode } from '../contract';
import { decode } from '../data';
import type { Pose } from '../poses';

const kArm = 0.5;   // m
const kShape = 12;  // a body: re, im of translation x y z and of rotation x y z

export class ModeMotion {
  private readonly shape: Float64Array;
  private readonly largest: number;

  constructor(mode: Mode) {
    this.shape = decode(mode.shape);
    let largest = 0;
    // a turn counts by the way of a point half a metre off, as in the shapes themselves
    for (let b = 0; b + kShape <= this.shape.length; b += kShape) {
      const moved = Math.hypot(...this.shape.subarray(b, b + 6));
      const turned = Math.hypot(...this.shape.subarray(b + 6, b + kShape));
      largest = Math.max(largest, moved, kArm * turned);
    }
    this.largest = largest || 1;
  }

  /** Writes into `out`: `rest` moved by the real part of amplitude (m, of the point that moves most) * shape * exp(i phase). */
  show(rest: Pose[], amplitude: number, phase: number, out: Pose[]): void {
    const c = (amplitude / this.largest) * Math.cos(phase);
    const s = (amplitude / this.largest) * Math.sin(phase);
    out.forEach((pose, body) => {
      const k = kShape * body;
      const part = (axis: number): number =>
        k + kShape <= this.shape.length ? c * this.shape[k + 2 * axis] - s * this.shape[k + 2 * axis + 1] : 0;
      pose.p.set(part(0), part(1), part(2)).add(rest[body].p);
      const turn = new Vector3(part(3), part(4), part(5));
      const angle = turn.length();
      if (angle > 0) turn.divideScalar(angle);
      pose.q.copy(new Quaternion().setFromAxisAngle(turn, angle)).multiply(rest[body].q);
    });
  }
}
