// Forces as arrows to scale.
import { ConeGeometry, CylinderGeometry, Color, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import type { Paint } from '../colours';
import { kZ } from './part';

const kShaft = 0.014;  // m, radius
const kHead = 0.1;     // m, length

/** A force as it is now: where it acts, m, and N, in world axes. */
export interface Force { kind: string; at: Vector3; force: Vector3 }

export class Arrows {
  readonly group = new Group();
  metres_a_newton = 1e-4;
  /** kinds that are not drawn */
  readonly hidden = new Set<string>();
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;

  /** Of forces that others keep up to date. */
  constructor(private readonly forces: Force[], paint: Paint) {
    const count = forces.length;
    const shaft = new CylinderGeometry(kShaft, kShaft, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(2.6 * kShaft, kHead, 10).rotateX(Math.PI / 2).translate(0, 0, -0.5 * kHead);
    this.shafts = new InstancedMesh(shaft, new MeshLambertMaterial(), count);
    this.heads = new InstancedMesh(head, new MeshLambertMaterial(), count);
    forces.forEach(({ kind }, k) => {
      const colour = new Color({ tyre: paint.tyre_force, load: paint.load, rod: paint.rod_force }[kind] ?? paint.joint_force);
      this.shafts.setColorAt(k, colour);
      this.heads.setColorAt(k, colour);
    });
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.show();
  }

  /** Draws the forces as they are now. One without numbers is not drawn. */
  show(): void {
    const at = new Vector3();
    const force = new Vector3();
    const turn = new Quaternion();
    const matrix = new Matrix4();
    this.forces.forEach((now, k) => {
      at.copy(now.at);
      force.copy(now.force);
      if (!Number.isFinite(at.lengthSq() + force.lengthSq())) {
        at.set(0, 0, 0);
        force.set(0, 0, 0);
      }
      const length = force.length() * this.metres_a_newton;
      const seen = length > 1e-3 && !this.hidden.has(now.kind) ? 1 : 0;
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
