// What a shape is drawn from: a piece of geometry in the frame of a body, in one colour.
import { BufferAttribute, BufferGeometry, Color, Quaternion, Vector3 } from 'three';
import type { Paint } from '../colours';
import type { Point } from '../contract';

export interface Part {
  body: number;
  geometry: BufferGeometry;
  colour: keyof Paint | `#${string}`;
  /** 'body': what a file adds to be looked at, which hides what moves inside */
  layer: 'solid' | 'line' | 'glyph' | 'body';
  of: string;
  line: number;
}

export const vector = (p: Point): Vector3 => new Vector3(p[0], p[1], p[2]);
export const kZ = new Vector3(0, 0, 1);
export const kY = new Vector3(0, 1, 0);

/** Turns geometry along `from` to the direction `to` and moves it to `at`. */
export function placed(geometry: BufferGeometry, from: Vector3, to: Vector3, at: Vector3): BufferGeometry {
  const direction = to.clone().normalize();
  geometry.applyQuaternion(new Quaternion().setFromUnitVectors(from, direction.lengthSq() > 0 ? direction : from));
  return geometry.translate(at.x, at.y, at.z);
}

/** A hex colour of a file, or a colour of the page. */
export function colour_of(part: Part, paint: Paint): Color {
  const text = part.colour.startsWith('#') ? part.colour : paint[part.colour as keyof Paint];
  return new Color(/^#[0-9a-f]{6}$/i.test(text) ? text : '#8899aa');
}

/** Positions and normals alone, without index, so that parts can be put together. */
export function plain(geometry: BufferGeometry, with_normals: boolean): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  const out = new BufferGeometry();
  out.setAttribute('position', flat.getAttribute('position'));
  if (with_normals) {
    if (!flat.getAttribute('normal')) flat.computeVertexNormals();
    out.setAttribute('normal', flat.getAttribute('normal'));
  }
  return out;
}

/** Several geometries as one with a colour for each vertex; `ends[k]` is the vertex behind part k. */
export function merged(parts: Part[], paint: Paint, with_normals: boolean): { geometry: BufferGeometry; ends: number[] } {
  const pieces = parts.map((part) => plain(part.geometry, with_normals));
  const ends: number[] = [];
  let count = 0;
  for (const piece of pieces) ends.push((count += piece.getAttribute('position').count));
  const position = new Float32Array(3 * count);
  const normal = new Float32Array(with_normals ? 3 * count : 0);
  const colour = new Float32Array(3 * count);
  pieces.forEach((piece, k) => {
    const start = k ? ends[k - 1] : 0;
    position.set(piece.getAttribute('position').array, 3 * start);
    if (with_normals) normal.set(piece.getAttribute('normal').array, 3 * start);
    const rgb = colour_of(parts[k], paint).toArray();
    for (let v = start; v < ends[k]; ++v) colour.set(rgb, 3 * v);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(position, 3));
  if (with_normals) geometry.setAttribute('normal', new BufferAttribute(normal, 3));
  geometry.setAttribute('color', new BufferAttribute(colour, 3));
  return { geometry, ends };
}
