// A wheel: tyre, rim and spokes, so that its spin is seen.
import { BoxGeometry, BufferGeometry, CylinderGeometry, LatheGeometry, Vector2 } from 'three';
import type { WheelShape } from '../../contract';
import { kY, placed, vector } from '../part';
import type { Part } from '../part';

const kSpokes = 5;
const kAround = 28;

/** Half of the cross-section, turned about y: shoulders rounded over a quarter of the height of the side wall. */
function tyre_geometry(radius: number, width: number, rim: number): BufferGeometry {
  const half = 0.5 * width;
  const round = Math.min(0.3 * (radius - rim), 0.4 * half);
  const side = [[rim, -0.85 * half], [rim + 0.4 * (radius - rim), -half], [radius - round, -half], [radius, -half + round]];
  const profile = [...side, ...side.map(([r, y]) => [r, -y]).reverse()];
  return new LatheGeometry(profile.map(([r, y]) => new Vector2(r, y)), kAround);
}

export function wheel_parts(shape: WheelShape): Part[] {
  const { radius, width } = shape;
  const rim = Math.min(shape.rim_radius, 0.95 * radius);
  const axis = vector(shape.axis);
  const centre = vector(shape.centre);
  const on = (geometry: BufferGeometry, colour: Part['colour']): Part => ({
    body: shape.body, geometry: placed(geometry, kY, axis, centre), colour, layer: 'solid',
    of: shape.of ?? '', line: shape.line ?? 0,
  });
  const parts = [on(tyre_geometry(radius, width, rim), 'tyre')];
  parts.push(on(new LatheGeometry([new Vector2(0.9 * rim, 0.4 * width), new Vector2(rim, 0.43 * width),
    new Vector2(rim, -0.43 * width), new Vector2(0.9 * rim, -0.4 * width), new Vector2(0.9 * rim, 0.4 * width)], kAround), 'dark_metal'));
  parts.push(on(new CylinderGeometry(0.2 * rim, 0.2 * rim, 0.6 * width, 12), 'dark_metal'));
  for (let k = 0; k < kSpokes; ++k) {
    const spoke = new BoxGeometry(0.95 * rim, 0.16 * width, 0.16 * rim);
    spoke.translate(0.475 * rim, 0, 0).rotateY((2 * Math.PI * k) / kSpokes);
    parts.push(on(spoke, k ? 'rim' : 'spring'));
  }
  return parts;
}
