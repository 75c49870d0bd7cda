// The parts of a shape that is fixed to one body.
import type { BufferGeometry } from 'three';
import type { Shape } from '../../contract';
import type { Part } from '../part';
import { bushing_parts, com_parts, joint_parts } from './glyphs';
import { hull_parts } from './hull';
import { rod_parts } from './rod';
import { ball_parts, box_parts, mesh_parts, outline_parts } from './solids';
import { wheel_parts } from './wheel';

function made(shape: Shape): Part[] {
  switch (shape.type) {
    case 'cylinder': return rod_parts(shape);
    case 'hull': return hull_parts(shape);
    case 'wheel': return wheel_parts(shape);
    case 'outline': return outline_parts(shape);
    case 'com': return com_parts(shape);
    case 'joint': return joint_parts(shape);
    case 'bushing': return bushing_parts(shape);
    case 'box': return box_parts(shape);
    case 'sphere': return ball_parts(shape);
    case 'mesh': return mesh_parts(shape);
    default: return [];
  }
}

/** Geometry with points that are none would be complained about at each frame. */
export function is_whole(geometry: BufferGeometry): boolean {
  const positions = geometry.getAttribute('position');
  return positions !== undefined && positions.count > 0 && (positions.array as Float32Array).every(Number.isFinite);
}

/** None for what lies between two bodies, for a kind that this page does not know, and for a shape that is not whole. */
export function parts_of(shape: Shape): Part[] {
  try {
    return made(shape).filter((part) => is_whole(part.geometry));
  } catch {
    return [];
  }
}
