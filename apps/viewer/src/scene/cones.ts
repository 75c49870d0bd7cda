// Cones on the road; those that were hit lie there.
import { Color, ConeGeometry, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from 'three';
import type { Paint } from '../colours';
import type { Point } from '../contract';
import { vector } from './part';

const kHeight = 0.5;   // m
const kRadius = 0.14;  // m, of the foot
const kUpright = new Quaternion();
const kLying = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
const kOne = new Vector3(1, 1, 1);

export class Cones {
  readonly mesh: InstancedMesh;
  private readonly lies: boolean[];

  constructor(private readonly feet: Point[], private readonly paint: Paint) {
    const cone = new ConeGeometry(kRadius, kHeight, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5 * kHeight);
    this.mesh = new InstancedMesh(cone, new MeshLambertMaterial(), feet.length);
    this.mesh.frustumCulled = false;
    this.lies = feet.map(() => true);
    this.show([]);
  }

  /** `hit`: 1 for those that were. */
  show(hit: ArrayLike<number>): void {
    const matrix = new Matrix4();
    this.feet.forEach((foot, k) => {
      const lies = hit[k] === 1;
      if (lies === this.lies[k]) return;
      this.lies[k] = lies;
      const at = vector(foot);
      if (lies) at.z += kRadius;
      this.mesh.setMatrixAt(k, matrix.compose(at, lies ? kLying : kUpright, kOne));
      this.mesh.setColorAt(k, new Color(lies ? this.paint.faint : this.paint.cut));
      this.mesh.instanceMatrix.needsUpdate = true;
      if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    });
  }
}
