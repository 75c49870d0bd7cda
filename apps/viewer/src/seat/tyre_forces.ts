// The forces of the tyres among the numbers of a drive that is going on.
import { Vector3 } from 'three';
import type { Force } from '../scene/arrows';
import type { Hello, Moment } from './connection';

const kParts = ['x', 'y', 'road', 'Fx', 'Fy', 'Fz'];

export class TyreForces {
  readonly forces: Force[] = [];
  private readonly channels: number[][] = [];

  constructor(hello: Hello) {
    const at = new Map(hello.channels.map((channel, k) => [channel.name, k]));
    for (const { name } of hello.dash.loads) {
      const found = kParts.map((part) => at.get(`${name}.${part}`));
      if (!found.every((channel): channel is number => channel !== undefined)) continue;
      this.channels.push(found);
      this.forces.push({ kind: 'tyre', at: new Vector3(), force: new Vector3() });
    }
  }

  /** Writes `forces` as they are now: at the ground below the centres of the wheels. */
  take(moment: Moment): void {
    this.channels.forEach((channels, k) => {
      const [x, y, z, fx, fy, fz] = channels.map((channel) => moment.outputs[channel]);
      this.forces[k].at.set(x, y, z);
      this.forces[k].force.set(fx, fy, fz);
    });
  }

  /** The mean size of those of now, N. */
  typical(): number {
    return this.forces.reduce((sum, { force }) => sum + force.length(), 0) / (this.forces.length || 1);
  }
}
