// A car: a group for each body with its shapes put together, and what lies between bodies.
import {
  BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Material, Mesh, MeshLambertMaterial, Object3D,
} from 'three';
import type { Paint } from '../colours';
import type { Model } from '../contract';
import type { Pose } from '../poses';
import { merged } from './part';
import type { Part } from './part';
import { parts_of } from './shapes/all';
import { Connection } from './shapes/between';
import type { Colour } from './shapes/between';

export interface Found { of: string; line: number }

const kLayers: Part['layer'][] = ['solid', 'line', 'glyph', 'body'];

/** Where a ghost is seen through, the line of its outline is not. */
interface Look { solid: (colour: Colour | null) => Material; line: Material; glyphs: boolean }

function solid_look(paint: Paint): Look {
  const made = new Map<string, Material>();
  return {
    solid: (colour) => {
      const key = colour ?? '';
      if (!made.has(key)) {
        made.set(key, colour ? new MeshLambertMaterial({ color: paint[colour] }) : new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
      }
      return made.get(key)!;
    },
    line: new LineBasicMaterial({ vertexColors: true }),
    glyphs: true,
  };
}

/** The `order`-th ghost lies a little behind the ones before it: where cars are alike one of them is seen, and always the same. */
function ghost_look(colour: string, order: number): Look {
  const solid = new MeshLambertMaterial({
    color: colour, transparent: true, opacity: 0.4, depthWrite: false, polygonOffset: true, polygonOffsetFactor: order, polygonOffsetUnits: 2 * order,
  });
  return { solid: () => solid, line: new LineBasicMaterial({ color: colour }), glyphs: false };
}

export class Car {
  readonly group = new Group();
  readonly bodies: Group[];
  private readonly connections: Connection[] = [];
  private readonly layers: Record<Part['layer'], Object3D[]> = { solid: [], line: [], glyph: [], body: [] };

  /** `tint`: the colour of a ghost, the `order`-th; the car itself has the colours of its parts. */
  constructor(model: Model, poses: Pose[], paint: Paint, readonly tint: string | null, order = 0) {
    const look = tint ? ghost_look(tint, order) : solid_look(paint);
    // the nearest ghost is drawn last
    this.group.renderOrder = -order;
    this.bodies = model.bodies.map(() => new Group());
    for (const body of this.bodies) this.group.add(body);
    const parts = model.shapes.flatMap(parts_of);
    this.bodies.forEach((body, index) => {
      const own = parts.filter((part) => part.body === index);
      for (const layer of kLayers) {
        if (layer !== 'glyph' || look.glyphs) this.add(body, own.filter((part) => part.layer === layer), paint, look);
      }
    });
    for (const shape of model.shapes) {
      if (shape.type !== 'between' || poses.length === 0 || !(shape.radius > 0)) continue;
      const connection = new Connection(shape, poses, (colour) => look.solid(colour));
      this.connections.push(connection);
      this.group.add(connection.group);
    }
    this.show(poses);
  }

  private add(body: Group, parts: Part[], paint: Paint, look: Look): void {
    if (parts.length === 0) return;
    const lines = parts[0].layer === 'line';
    const { geometry, ends } = merged(parts, paint, !lines);
    const object = lines ? new LineSegments(geometry, look.line) : new Mesh(geometry, look.solid(null));
    object.userData.parts = { parts, ends };
    body.add(object);
    this.layers[parts[0].layer].push(object);
  }

  show(poses: Pose[]): void {
    this.bodies.forEach((body, index) => {
      const pose = poses[index];
      if (!pose) return;
      body.position.copy(pose.p);
      body.quaternion.copy(pose.q);
    });
    for (const connection of this.connections) connection.show(poses);
  }

  show_layer(layer: Part['layer'], on: boolean): void {
    for (const object of this.layers[layer]) object.visible = on;
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh || object instanceof LineSegments) (object.geometry as BufferGeometry).dispose();
    });
  }
}

/** The element that vertex `vertex` of an object of the car belongs to. */
export function element_at(object: Object3D, vertex: number): Found | null {
  if (object.parent && object.userData.of) return object.userData.of as Found;
  const { parts, ends } = (object.userData.parts ?? {}) as { parts?: Part[]; ends?: number[] };
  const k = ends ? ends.findIndex((end) => vertex < end) : -1;
  return parts && k >= 0 ? { of: parts[k].of, line: parts[k].line } : null;
}
