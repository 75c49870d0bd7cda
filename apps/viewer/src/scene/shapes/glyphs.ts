// Signs: centres of mass, joints by kind (cut ones in their own colour and with a ring), bushings.
import { BoxGeometry, BufferGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import type { BushingShape, CentreOfMass, JointShape } from '../../contract';
import { kY, kZ, placed, vector } from '../part';
import type { Part } from '../part';

const kSize = 0.022;  // m

function joint_geometries(kind: string): BufferGeometry[] {
  const s = kSize;
  switch (kind) {
    case 'revolute':
      return [new CylinderGeometry(s, s, 3.2 * s, 12).rotateX(Math.PI / 2)];
    case 'prismatic':
      return [new BoxGeometry(1.6 * s, 1.6 * s, 4 * s)];
    case 'cylindrical':
      return [new CylinderGeometry(0.7 * s, 0.7 * s, 4.5 * s, 12).rotateX(Math.PI / 2), new BoxGeometry(1.6 * s, 1.6 * s, 1.6 * s)];
    case 'universal':
      return [new CylinderGeometry(0.5 * s, 0.5 * s, 3 * s, 8), new CylinderGeometry(0.5 * s, 0.5 * s, 3 * s, 8).rotateZ(Math.PI / 2)];
    case 'spherical':
      return [new SphereGeometry(1.1 * s, 12, 8)];
    default:
      return [new BoxGeometry(1.6 * s, 1.6 * s, 1.6 * s)];
  }
}

export function joint_parts(shape: JointShape): Part[] {
  const geometries = joint_geometries(shape.kind);
  if (shape.cut) geometries.push(new TorusGeometry(1.9 * kSize, 0.35 * kSize, 6, 16));
  return geometries.map((geometry) => ({
    body: shape.body, geometry: placed(geometry, kZ, vector(shape.axis), vector(shape.point)),
    colour: shape.cut ? 'cut' : 'joint', layer: 'glyph', of: shape.of ?? '', line: shape.line ?? 0,
  }));
}

export function bushing_parts(shape: BushingShape): Part[] {
  const geometry = new TorusGeometry(1.1 * kSize, 0.55 * kSize, 8, 14);
  return [{
    body: shape.body, geometry: placed(geometry, kZ, vector(shape.axis), vector(shape.point)), colour: 'bushing',
    layer: 'glyph', of: shape.of ?? '', line: shape.line ?? 0,
  }];
}

/** Two cones tip to tip, the sign that is seen from each side. */
export function com_parts(shape: CentreOfMass): Part[] {
  const s = 1.2 * kSize;
  return [1, -1].map((side) => ({
    body: shape.body,
    geometry: placed(new ConeGeometry(s, 1.6 * s, 12).translate(0, -0.8 * s, 0), kY, new Vector3(0, 0, side), vector(shape.point)),
    colour: side > 0 ? 'com' : 'cut', layer: 'glyph', of: shape.of ?? 'centre of mass', line: shape.line ?? 0,
  }));
}
