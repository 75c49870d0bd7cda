// Roads as meshes, tinted where their friction is not 1; where there is none, a plane that goes along.
import { BufferAttribute, Color, DoubleSide, Group, Mesh, MeshLambertMaterial, PlaneGeometry, Vector3 } from 'three';
import type { Paint } from '../colours';
import type { RoadMesh } from '../contract';
import { decode } from '../data';
import { triangles } from './shapes/solids';

const kSlippery = new Color('#56b4e9');
const kGrippy = new Color('#e69f00');
const kPlaneHalf = 120;  // m

/** Lines each metre, drawn into the surface: they show the motion and the shape. */
function with_lines(material: MeshLambertMaterial, colour: Color): MeshLambertMaterial {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.lines = { value: colour };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec2 on_road;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\non_road = position.xy;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec2 on_road;\nuniform vec3 lines;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        vec2 wide = fwidth(on_road);
        vec2 away = abs(fract(on_road - 0.5) - 0.5) / max(wide, 1e-6);
        float on = (1.0 - min(min(away.x, away.y), 1.0)) * clamp(1.0 - 2.0 * max(wide.x, wide.y), 0.0, 1.0);
        diffuseColor.rgb = mix(diffuseColor.rgb, lines, 0.6 * on);`);
  };
  return material;
}

function road_mesh(mesh: RoadMesh, paint: Paint): Mesh {
  const geometry = triangles(decode(mesh.positions, 3), decode(mesh.indices));
  const count = geometry.getAttribute('position').count;
  const friction = decode(mesh.friction);
  const colours = new Float32Array(3 * count);
  const ground = new Color(paint.ground);
  const colour = new Color();
  for (let v = 0; v < count; ++v) {
    const mu = friction[v] ?? 1;
    colour.copy(ground).lerp(mu < 1 ? kSlippery : kGrippy, Math.min(Math.abs(1 - mu), 1) * 0.8);
    colours.set(colour.toArray(), 3 * v);
  }
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide, flatShading: true });
  return new Mesh(geometry, with_lines(material, new Color(paint.grid)));
}

/** A plane at z = 0 whose lines stay where they are in the world when it is moved by whole metres. */
function plane(paint: Paint): Mesh {
  const geometry = new PlaneGeometry(2 * kPlaneHalf, 2 * kPlaneHalf);
  return new Mesh(geometry, with_lines(new MeshLambertMaterial({ color: paint.ground, side: DoubleSide }), new Color(paint.grid)));
}

export class Road {
  readonly group = new Group();
  private readonly plane: Mesh | null = null;

  constructor(meshes: RoadMesh[], paint: Paint) {
    const whole = meshes.map((mesh) => road_mesh(mesh, paint)).filter((mesh) => (mesh.geometry.index?.count ?? 0) > 0);
    // without arguments add() complains to the console
    for (const mesh of whole) this.group.add(mesh);
    if (whole.length === 0) {
      this.plane = plane(paint);
      this.group.add(this.plane);
    }
  }

  /** The plane stays under `p`. */
  follow(p: Vector3): void {
    this.plane?.position.set(Math.round(p.x), Math.round(p.y), 0);
  }
}
