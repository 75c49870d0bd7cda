// The forces of a run over its time.
import { Vector3 } from 'three';
import type { Run } from '../contract';
import { decode, find_row } from '../data';
import type { Force } from './arrows';

/** Of joints, rods and springs, not from outside. */
export const is_inside = (kind: string): boolean => kind === 'joint' || kind === 'rod';

interface Course { times: Float64Array; at: Float64Array; force: Float64Array }

export class ForceCourses {
  /** As they are at the time that was shown last. */
  readonly forces: Force[] = [];
  private readonly courses: Course[] = [];

  constructor(run: Run | undefined) {
    const pose_times = decode(run?.poses?.times);
    for (const arrow of run?.arrows ?? []) {
      const course = { times: arrow.times ? decode(arrow.times) : pose_times, at: decode(arrow.at, 3), force: decode(arrow.force, 3) };
      if (course.times.length === 0 || course.at.length < 3 || course.force.length < 3) continue;
      this.courses.push(course);
      this.forces.push({ kind: arrow.kind, at: new Vector3(), force: new Vector3() });
    }
    this.show(pose_times[0] ?? 0);
  }

  /**
   * The mean size of the forces that are not 0, N: peaks on stairs would make all others too small to see. Those inside the car
   * count where there are no others.
   */
  typical(): number {
    let sum = 0;
    let count = 0;
    const others = this.courses.filter((_, k) => !is_inside(this.forces[k].kind));
    for (const { force } of others.length ? others : this.courses) {
      for (let k = 0; k + 2 < force.length; k += 3) {
        const size = Math.hypot(force[k], force[k + 1], force[k + 2]);
        if (!(size > 0) || !Number.isFinite(size)) continue;
        sum += size;
        ++count;
      }
    }
    return count ? sum / count : 0;
  }

  /** Writes `forces` for time `t`, linear between the rows. */
  show(t: number): void {
    this.courses.forEach((course, k) => {
      const rows = Math.floor(Math.min(course.times.length, course.at.length / 3, course.force.length / 3));
      const row = Math.min(find_row(course.times, t), rows - 1);
      const next = Math.min(row + 1, rows - 1);
      const w = next > row ? Math.min(Math.max((t - course.times[row]) / (course.times[next] - course.times[row]), 0), 1) : 0;
      const mix = (values: Float64Array, out: Vector3): Vector3 =>
        out.fromArray(values, 3 * row).multiplyScalar(1 - w).add(new Vector3().fromArray(values, 3 * next).multiplyScalar(w));
      mix(course.at, this.forces[k].at);
      mix(course.force, this.forces[k].force);
    });
  }
}
