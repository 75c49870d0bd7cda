// Where the reader looks from. All but the driver's camera can be turned with the mouse.
import { PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Pose } from '../poses';

export type Place = 'orbit' | 'follow' | 'wheel' | 'driver';
export const kPlaces: Place[] = ['orbit', 'follow', 'wheel', 'driver'];

/** What the cameras need to know of a car; points in the frame of the chassis. */
export interface Seats { chassis: number; middle: Vector3; head: Vector3; size: number; wheel: { body: number; centre: Vector3 } | null }

const heading = (q: Quaternion): number => {
  const x = new Vector3(1, 0, 0).applyQuaternion(q);
  return Math.atan2(x.y, x.x);
};

export class CameraRig {
  readonly camera = new PerspectiveCamera(40, 1, 0.05, 2000);
  controls: OrbitControls | null = null;
  place: Place = 'orbit';
  private readonly last = new Vector3();
  private turned = 0;

  constructor(private readonly seats: Seats) {
    this.camera.up.set(0, 0, 1);
  }

  /** Listens to a canvas; `changed` is called when the reader has moved the camera. */
  listen(canvas: HTMLCanvasElement, changed: () => void): void {
    const target = this.controls?.target.clone();
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, canvas);
    if (target) this.controls.target.copy(target);
    this.controls.enableDamping = false;
    this.controls.enabled = this.place !== 'driver';
    this.controls.addEventListener('change', changed);
  }

  private point(poses: Pose[]): Vector3 {
    const chassis = poses[this.seats.chassis];
    const wheel = this.seats.wheel;
    if (this.place === 'wheel' && wheel) return wheel.centre.clone().applyQuaternion(poses[wheel.body].q).add(poses[wheel.body].p);
    return this.seats.middle.clone().applyQuaternion(chassis.q).add(chassis.p);
  }

  /** Takes a place anew. */
  take(place: Place, poses: Pose[]): void {
    this.place = place;
    if (!this.controls || !poses[this.seats.chassis]) return;
    this.controls.enabled = place !== 'driver';
    this.camera.up.set(0, 0, 1);
    const target = this.point(poses);
    const yaw = heading(poses[this.seats.chassis].q);
    const s = this.seats.size;
    const side = this.seats.wheel && this.seats.wheel.centre.y + poses[this.seats.wheel.body].p.y < poses[this.seats.chassis].p.y ? -1 : 1;
    const offset = place === 'follow' ? new Vector3(-1.7 * s, 0, 0.65 * s)
      : place === 'wheel' ? new Vector3(0.2 * s, side * 0.42 * s, 0.1 * s)
        : new Vector3(0.9 * s, 1.0 * s, 0.52 * s);
    this.camera.position.copy(target).add(offset.applyAxisAngle(this.camera.up, yaw));
    this.controls.target.copy(target);
    this.last.copy(target);
    this.turned = yaw;
    this.update(poses);
    this.controls.update();
  }

  /** Goes along with the car: in place alone (orbit), turning with it (follow, wheel), or on its seat (driver). */
  update(poses: Pose[]): void {
    const chassis = poses[this.seats.chassis];
    // where a failed run has no numbers the camera stays
    if (!chassis || !this.controls || !Number.isFinite(chassis.p.lengthSq() + chassis.q.lengthSq())) return;
    if (this.place === 'driver') {
      this.camera.up.set(0, 0, 1).applyQuaternion(chassis.q);
      this.camera.position.copy(this.seats.head).applyQuaternion(chassis.q).add(chassis.p);
      this.camera.lookAt(this.seats.head.clone().add(new Vector3(20, 0, -1.5)).applyQuaternion(chassis.q).add(chassis.p));
      return;
    }
    const target = this.point(poses);
    const offset = this.camera.position.clone().sub(this.controls.target);
    const shift = this.controls.target.clone().sub(this.last);
    const yaw = heading(chassis.q);
    if (this.place !== 'orbit') {
      offset.applyAxisAngle(this.camera.up, yaw - this.turned);
      shift.applyAxisAngle(this.camera.up, yaw - this.turned);
    }
    this.turned = yaw;
    this.last.copy(target);
    this.controls.target.copy(target).add(shift);
    this.camera.position.copy(this.controls.target).add(offset);
    this.camera.lookAt(this.controls.target);
  }
}
