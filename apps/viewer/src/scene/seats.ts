// Which body is the chassis, how big the car is, where its driver sits.
import { Vector3 } from 'three';
import type { Model } from '../contract';
import type { Pose } from '../poses';
import type { Seats } from './cameras';
import { vector } from './part';
import { parts_of } from './shapes/all';

/** The body with the outline of the chassis, else the heaviest. */
export function chassis_of(model: Model): number {
  const outlined = model.shapes.find((shape) => shape.type === 'outline' && shape.role === 'chassis');
  if (outlined && outlined.type === 'outline') return outlined.body;
  let best = model.bodies.length > 1 ? 1 : 0;
  model.bodies.forEach((body, index) => {
    if ((body.mass ?? 0) > (model.bodies[best].mass ?? 0)) best = index;
  });
  return best;
}

export function seats_of(model: Model, poses: Pose[]): Seats {
  const chassis = chassis_of(model);
  const home = poses[chassis];
  const inverse = home.q.clone().invert();
  const points: Vector3[] = [];
  const wheels: { body: number; centre: Vector3 }[] = [];
  for (const shape of model.shapes) {
    if (shape.type === 'between') {
      for (const end of [shape.a, shape.b]) if (end.body > 0) points.push(vector(end.point).applyQuaternion(poses[end.body].q).add(poses[end.body].p));
      continue;
    }
    if (shape.body === 0) continue;
    if (shape.type === 'wheel') wheels.push({ body: shape.body, centre: vector(shape.centre) });
    for (const part of parts_of(shape)) {
      part.geometry.computeBoundingBox();
      const box = part.geometry.boundingBox!;
      for (const corner of [box.min, box.max]) points.push(corner.clone().applyQuaternion(poses[shape.body].q).add(poses[shape.body].p));
    }
  }
  if (points.length === 0) poses.slice(1).forEach((pose) => points.push(pose.p.clone()));
  const local = points.filter((p) => Number.isFinite(p.x + p.y + p.z)).map((p) => p.sub(home.p).applyQuaternion(inverse));
  const low = new Vector3(0, 0, 0);
  const high = new Vector3(0, 0, 0);
  local.forEach((p, k) => {
    if (k === 0) low.copy(p), high.copy(p);
    low.min(p);
    high.max(p);
  });
  const middle = low.clone().add(high).multiplyScalar(0.5);
  const size = Math.min(Math.max(high.distanceTo(low), 0.3), 40);
  const head = new Vector3(middle.x - 0.05 * size, 0.08 * size, low.z + 0.29 * size);
  return { chassis, middle, head, size, wheel: wheels[0] ?? null };
}
