// Shapes that a file gives itself: boxes, spheres, meshes, and outlines of lines.
import { BoxGeometry, BufferAttribute, BufferGeometry, Quaternion, SphereGeometry } from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Ball, Box, Frame, MeshShape, Outline } from '../../contract';
import { decode } from '../../data';
import { vector } from '../part';
import type { Part } from '../part';

const colour_in = (colour: string | undefined): Part['colour'] => (colour?.startsWith('#') ? (colour as `#${string}`) : 'body');

function framed(geometry: BufferGeometry, frame: Frame | undefined): BufferGeometry {
  if (!frame) return geometry;
  const [x, y, z, w] = frame.q;
  geometry.applyQuaternion(new Quaternion(x, y, z, w).normalize());
  return geometry.translate(frame.p[0], frame.p[1], frame.p[2]);
}

export function box_parts(shape: Box): Part[] {
  return [{
    body: shape.body, geometry: framed(new BoxGeometry(...shape.size), shape.frame), colour: colour_in(shape.colour),
    layer: 'body', of: shape.of ?? '', line: shape.line ?? 0,
  }];
}

export function ball_parts(shape: Ball): Part[] {
  const centre = vector(shape.centre);
  return [{
    body: shape.body, geometry: new SphereGeometry(shape.radius, 18, 12).translate(centre.x, centre.y, centre.z),
    colour: colour_in(shape.colour), layer: 'body', of: shape.of ?? '', line: shape.line ?? 0,
  }];
}

/** Triangles of numbers, without those that name a vertex that is not there. */
export function triangles(positions: Float64Array, indices: Float64Array): BufferGeometry {
  const count = Math.floor(positions.length / 3);
  const whole: number[] = [];
  for (let k = 0; k + 2 < indices.length; k += 3) {
    if (indices[k] < count && indices[k + 1] < count && indices[k + 2] < count) whole.push(indices[k], indices[k + 1], indices[k + 2]);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions.subarray(0, 3 * count)), 3));
  geometry.setIndex(whole);
  geometry.computeVertexNormals();
  return geometry;
}

export function mesh_parts(shape: MeshShape): Part[] {
  // faces that meet at more than this angle keep their edge
  const kCrease = 0.6;  // rad
  const geometry = toCreasedNormals(triangles(decode(shape.positions, 3), decode(shape.indices)), kCrease);
  return [{
    body: shape.body, geometry: framed(geometry, shape.frame), colour: colour_in(shape.colour), layer: 'body',
    of: shape.of ?? '', line: shape.line ?? 0,
  }];
}

export function outline_parts(shape: Outline): Part[] {
  const geometry = new BufferGeometry().setFromPoints(shape.lines.slice(0, 2 * Math.floor(shape.lines.length / 2)).map(vector));
  return [{ body: shape.body, geometry, colour: 'chassis', layer: 'line', of: shape.of ?? '', line: shape.line ?? 0 }];
}
