// What lies between points of two bodies and follows both: coils, damper tubes, massless rods.
import { BufferGeometry, Curve, CylinderGeometry, Group, Material, Mesh, Quaternion, TubeGeometry, Vector3 } from 'three';
import type { Between } from '../../contract';
import type { Pose } from '../../poses';
import { kZ, vector } from '../part';

const kTurns = 6;

class Helix extends Curve<Vector3> {
  constructor(private readonly radius: number, private readonly length: number) {
    super();
  }
  override getPoint(u: number, target = new Vector3()): Vector3 {
    // the first and last turn lie flat, as those of a ground coil do
    const angle = 2 * Math.PI * (kTurns + 1.5) * u;
    const rise = Math.min(Math.max((u - 0.1) / 0.8, 0), 1);
    return target.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), this.length * (0.04 + 0.92 * rise));
  }
}

const along_z = (radius: number, length: number): BufferGeometry =>
  new CylinderGeometry(radius, radius, length, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5 * length);

interface Piece { geometry: BufferGeometry; colour: 'spring' | 'damper' | 'metal' | 'bar' | 'dark_metal'; stretches: boolean }

function pieces_of(shape: Between, length: number): Piece[] {
  switch (shape.role) {
    case 'spring':
      return [{ geometry: new TubeGeometry(new Helix(shape.radius, length), 12 * kTurns, 0.13 * shape.radius, 5), colour: 'spring', stretches: true }];
    case 'damper':
      return [
        { geometry: along_z(shape.radius, 0.55 * length), colour: 'damper', stretches: false },
        { geometry: along_z(0.4 * shape.radius, length), colour: 'metal', stretches: true },
      ];
    default:
      return [{ geometry: along_z(shape.radius, length), colour: shape.role === 'bar' ? 'bar' : 'metal', stretches: true }];
  }
}

export type Colour = Piece['colour'];

/** One connection: `show` lays it between its two points; the rest length of its geometry is that at `poses` when it is made. */
export class Connection {
  readonly group = new Group();
  private readonly length: number;
  private readonly a: Vector3;
  private readonly b: Vector3;
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly turn = new Quaternion();

  constructor(readonly shape: Between, poses: Pose[], material: (colour: Colour) => Material) {
    this.a = vector(shape.a.point);
    this.b = vector(shape.b.point);
    this.ends(poses);
    // a run may begin with places that are none
    this.length = Math.max(this.from.distanceTo(this.to) || 0, 1e-3);
    for (const piece of pieces_of(shape, this.length)) {
      const mesh = new Mesh(piece.geometry, material(piece.colour));
      mesh.userData.stretches = piece.stretches;
      mesh.userData.of = { of: shape.of ?? '', line: shape.line ?? 0 };
      this.group.add(mesh);
    }
  }

  private ends(poses: Pose[]): void {
    const a = poses[this.shape.a.body];
    const b = poses[this.shape.b.body];
    this.from.copy(this.a).applyQuaternion(a.q).add(a.p);
    this.to.copy(this.b).applyQuaternion(b.q).add(b.p);
  }

  show(poses: Pose[]): void {
    this.ends(poses);
    this.group.position.copy(this.from);
    this.to.sub(this.from);
    const now = Math.max(this.to.length(), 1e-6);
    this.group.quaternion.copy(this.turn.setFromUnitVectors(kZ, this.to.divideScalar(now)));
    for (const child of this.group.children) {
      if (child.userData.stretches) child.scale.z = now / this.length;
    }
  }
}
