// Arms and knuckles as the hull of their points: a plate or a triangle where the points lie in a plane, each with an edge of
// some thickness.
import { Vector3 } from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import type { Hull } from '../../contract';
import { vector } from '../part';
import type { Part } from '../part';

const kThickness = 0.012;  // m, half of it to each side of a point

export function hull_parts(shape: Hull): Part[] {
  const corners: Vector3[] = [];
  // each point becomes an octahedron, so that points in a plane or on a line have a hull too
  for (const p of shape.points) {
    for (const side of [-1, 1]) {
      corners.push(vector(p).add(new Vector3(side * kThickness, 0, 0)));
      corners.push(vector(p).add(new Vector3(0, side * kThickness, 0)));
      corners.push(vector(p).add(new Vector3(0, 0, side * kThickness)));
    }
  }
  if (corners.length === 0 || !corners.every((p) => Number.isFinite(p.x + p.y + p.z))) return [];
  const geometry = new ConvexGeometry(corners);
  const colour = shape.role === 'knuckle' ? 'dark_metal' : 'arm';
  return [{ body: shape.body, geometry, colour, layer: 'solid', of: shape.of ?? '', line: shape.line ?? 0 }];
}
