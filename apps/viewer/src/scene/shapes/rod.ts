// Rods, links, bars, racks and shafts as cylinders.
import { CylinderGeometry } from 'three';
import type { Cylinder } from '../../contract';
import { kY, placed, vector } from '../part';
import type { Part } from '../part';

export function rod_parts(shape: Cylinder): Part[] {
  const a = vector(shape.a);
  const b = vector(shape.b);
  const length = a.distanceTo(b);
  const geometry = new CylinderGeometry(shape.radius, shape.radius, length, 10);
  const colour = shape.role === 'bar' ? 'bar' : shape.role === 'shaft' || shape.role === 'rack' ? 'dark_metal' : 'metal';
  placed(geometry, kY, b.clone().sub(a), a.clone().add(b).multiplyScalar(0.5));
  return [{ body: shape.body, geometry, colour, layer: 'solid', of: shape.of ?? '', line: shape.line ?? 0 }];
}
