// Forces as arrows to scale.
import { ConeGeometry, CylinderGeometry, Color, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import type { Paint } from '../colours';
import type { Run } from '../contract';
import { decode, find_row } from '../data';
import { kZ } from './part';

const kShaft = 0.014;  // m, radius
const kHead = 0.1;     // m, length

interface Course { times: Float64Array; at: Float64Array; force: Float64Array; kind: string }

export class Arrows {
  readonly group = new Group();
  metres_a_newton = 1e-4;
  private readonly courses: Course[];
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;

  constructor(run: Run, paint: Paint) {
    const pose_times = decode(run.poses?.times);
    this.courses = run.arrows
      .map((arrow) => ({
        times: arrow.times ? decode(arrow.times) : pose_times, at: decode(arrow.at, 3), force: decode(arrow.force, 3), kind: arrow.kind,
      }))
      .filter((course) => course.times.length > 0 && course.at.length >= 3 && course.force.length >= 3);
    const count = this.courses.length;
    const shaft = new CylinderGeometry(kShaft, kShaft, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(2.6 * kShaft, kHead, 10).rotateX(Math.PI / 2).translate(0, 0, -0.5 * kHead);
    this.shafts = new InstancedMesh(shaft, new MeshLambertMaterial(), count);
    this.heads = new InstancedMesh(head, new MeshLambertMaterial(), count);
    this.courses.forEach((course, k) => {
      const colour = new Color(course.kind === 'tyre' ? paint.tyre_force : course.kind === 'load' ? paint.load : paint.joint_force);
      this.shafts.setColorAt(k, colour);
      this.heads.setColorAt(k, colour);
    });
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    if (count) this.show(pose_times[0] ?? 0);
  }

  get count(): number {
    return this.courses.length;
  }

  /** The mean size of the forces that are not 0, N: peaks on stairs would make all others too small to see. */
  typical(): number {
    let sum = 0;
    let count = 0;
    for (const { force } of this.courses) {
      for (let k = 0; k + 2 < force.length; k += 3) {
        const size = Math.hypot(force[k], force[k + 1], force[k + 2]);
        if (!(size > 0) || !Number.isFinite(size)) continue;
        sum += size;
        ++count;
      }
    }
    return count ? sum / count : 0;
  }

  show(t: number): void {
    const at = new Vector3();
    const force = new Vector3();
    const turn = new Quaternion();
    const matrix = new Matrix4();
    this.courses.forEach((course, k) => {
      const rows = Math.min(course.times.length, course.at.length / 3, course.force.length / 3);
      const row = Math.min(find_row(course.times, t), rows - 1);
      const next = Math.min(row + 1, rows - 1);
      const w = next > row ? Math.min(Math.max((t - course.times[row]) / (course.times[next] - course.times[row]), 0), 1) : 0;
      const mix = (values: Float64Array, out: Vector3): Vector3 =>
        out.fromArray(values, 3 * row).multiplyScalar(1 - w).add(new Vector3().fromArray(values, 3 * next).multiplyScalar(w));
      mix(course.at, at);
      mix(course.force, force);
      if (!Number.isFinite(at.lengthSq() + force.lengthSq())) {
        at.set(0, 0, 0);
        force.set(0, 0, 0);
      }
      const length = force.length() * this.metres_a_newton;
      const seen = length > 1e-3 ? 1 : 0;
      turn.setFromUnitVectors(kZ, force.clone().normalize());
      const head = seen * Math.min(1, length / kHead);
      this.shafts.setMatrixAt(k, matrix.compose(at, turn, new Vector3(seen, seen, seen * Math.max(length - head * kHead, 1e-6))));
      at.addScaledVector(force.normalize(), length);
      this.heads.setMatrixAt(k, matrix.compose(at, turn, new Vector3(head, head, head)));
    });
    this.shafts.instanceMatrix.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }
}
