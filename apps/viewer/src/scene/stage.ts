// What stands in the 3-D view and how it moves.
import {
  BufferAttribute, BufferGeometry, Color, DirectionalLight, Group, HemisphereLight, Line, LineBasicMaterial, Mesh,
  MeshBasicMaterial, Scene, SphereGeometry, Vector3,
} from 'three';
import { paint, series_colour } from '../colours';
import type { Model, Report } from '../contract';
import { Track } from '../poses';
import type { Pose } from '../poses';
import { Arrows } from './arrows';
import type { Force } from './arrows';
import type { Seats } from './cameras';
import { Car } from './car';
import { Cones } from './cones';
import { ForceCourses } from './force_courses';
import { ModeMotion } from './modes';
import { merged, vector } from './part';
import { Road } from './road';
import { seats_of } from './seats';
import { parts_of } from './shapes/all';

const kTracePoints = 4000;

export interface Shown { body: boolean; glyphs: boolean; arrows: boolean; joint_forces: boolean; rod_forces: boolean; trace: boolean; ghosts: boolean; road: boolean }

const switch_of = (kind: string): keyof Shown => (kind === 'joint' ? 'joint_forces' : kind === 'rod' ? 'rod_forces' : 'arrows');

export class Stage {
  readonly scene = new Scene();
  readonly seats: Seats;
  readonly shown: Shown = { body: true, glyphs: false, arrows: true, joint_forces: false, rod_forces: false, trace: true, ghosts: true, road: true };
  cars: Car[] = [];
  private arrows!: Arrows;
  private readonly courses: ForceCourses;
  /** what the arrows show */
  forces: Force[];
  private road!: Road;
  private cones: Cones | null = null;
  /** 1 for cones that were hit */
  hit: ArrayLike<number> = [];
  private readonly traces = new Group();
  private mode: ModeMotion | null = null;
  private readonly moved: Pose[];
  private arrow_scale = 0;
  private live = false;
  /** whether the reader sits inside, where the body would hide the road */
  inside = false;
  time = 0;
  private model: Model;

  constructor(readonly report: Report, readonly tracks: Track[]) {
    this.model = report.model;
    this.seats = seats_of(report.model, this.rest());
    this.moved = this.rest().map((pose) => ({ p: pose.p.clone(), q: pose.q.clone() }));
    this.courses = new ForceCourses(report.runs[0]);
    this.forces = this.courses.forces;
    this.scale_arrows(this.courses.typical());
    // what is looked at for its points shows them
    this.shown.body = report.kind !== 'info' && report.kind !== 'kc';
    this.shown.glyphs = report.kind === 'info' || report.runs.every((run) => run.arrows.length === 0);
    // a rig stands
    this.shown.trace = !report.runs.some((run) => run.charts !== undefined);
    this.build();
  }

  private rest(): Pose[] {
    return this.tracks[0].poses;
  }

  /** The poses that the first car is shown in. */
  get poses(): Pose[] {
    return this.mode ? this.moved : this.tracks[0].poses;
  }

  /** Makes all of it in the colours of now. */
  build(): void {
    const colours = paint();
    for (const car of this.cars) car.dispose();
    this.scene.clear();
    this.scene.background = new Color(colours.sky);
    this.scene.add(new HemisphereLight('#ffffff', '#8a8f94', 2.2));
    const sun = new DirectionalLight('#ffffff', 1.6);
    sun.position.set(3, 4, 8);
    this.scene.add(sun);
    const poses = this.tracks.map((track) => track.poses);
    this.cars = this.tracks.map((_, k) => new Car(k ? this.report.model : this.model, poses[k], colours, k ? series_colour(k) : null, k));
    this.cars.forEach((car) => this.scene.add(car.group));
    this.road = new Road(this.report.road.meshes, colours);
    this.arrows = new Arrows(this.forces, colours);
    this.arrows.metres_a_newton = this.arrow_scale;
    this.scene.add(this.road.group, this.arrows.group, this.traces);
    const { cones } = this.report.road;
    if (cones.length) {
      this.cones = new Cones(cones, colours);
      this.cones.show(this.hit);
      this.scene.add(this.cones.mesh);
    }
    this.make_traces(colours.trace);
    this.make_suspects(colours.suspect);
    this.apply();
  }

  private make_traces(colour: string): void {
    this.traces.clear();
    const { chassis } = this.seats;
    const com = this.report.model.bodies[chassis]?.com;
    const point = com ? vector(com) : new Vector3();
    this.tracks.forEach((track, k) => {
      if (track.frames < 2) return;
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(track.way(chassis, point, kTracePoints), 3));
      const line = new Line(geometry, new LineBasicMaterial({ color: k ? series_colour(k) : colour }));
      line.frustumCulled = false;
      this.traces.add(line);
    });
  }

  private make_suspects(colour: string): void {
    for (const suspect of this.report.model.suspects) {
      const body = suspect.body ?? 0;
      if (!suspect.point || !this.cars[0]?.bodies[body]) continue;
      const ball = new Mesh(new SphereGeometry(0.013 * this.seats.size, 14, 10), new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.85, depthTest: false }));
      ball.renderOrder = 2;
      ball.position.copy(vector(suspect.point));
      this.cars[0].bodies[body].add(ball);
    }
  }

  /** Switches what is shown by `shown`. */
  apply(): void {
    this.cars.forEach((car, k) => {
      car.group.visible = k === 0 || (this.shown.ghosts && !this.mode);
      car.show_layer('glyph', this.shown.glyphs);
      car.show_layer('body', this.shown.body && !(k === 0 && this.inside));
    });
    this.arrows.group.visible = this.shows_forces && !this.mode;
    for (const { kind } of this.forces) {
      if (this.shown[switch_of(kind)]) this.arrows.hidden.delete(kind);
      else this.arrows.hidden.add(kind);
    }
    this.traces.visible = this.shown.trace && !this.mode;
    this.road.group.visible = this.shown.road;
    if (this.cones) this.cones.mesh.visible = this.shown.road;
  }

  private get shows_forces(): boolean {
    return this.forces.some(({ kind }) => this.shown[switch_of(kind)]);
  }

  /** Draws another car of the same bodies, standing in `poses` (seven numbers a body). */
  show_car(model: Model, poses: Float64Array): void {
    this.model = model;
    this.tracks[0].stand(poses);
    this.build();
    this.show(this.time);
  }

  get metres_a_newton(): number {
    return this.arrow_scale;
  }

  set metres_a_newton(scale: number) {
    this.arrow_scale = scale;
    this.arrows.metres_a_newton = scale;
  }

  private scale_arrows(typical: number): void {
    this.arrow_scale = (0.2 * this.seats.size) / (typical || 1);
  }

  /** Shows these forces, whose size is about `typical` N, instead of those of the run; they are kept up to date elsewhere. */
  show_forces(forces: Force[], typical: number): void {
    this.forces = forces;
    this.scale_arrows(typical);
    this.build();
  }

  show(t: number): void {
    this.time = t;
    if (this.mode) return;
    this.tracks.forEach((track, k) => {
      if (k > 0 && !this.shown.ghosts) return;
      track.show(t);
      this.cars[k].show(track.poses);
    });
    if (this.shows_forces) {
      this.courses.show(t);
      this.arrows.show();
    }
    this.road.follow(this.tracks[0].poses[this.seats.chassis].p);
  }

  /** Shows the first car and the forces as they have been set: those of a drive that is going on. */
  show_now(): void {
    this.live = true;
    this.cones?.show(this.hit);
    this.cars[0].show(this.tracks[0].poses);
    if (this.shown.arrows) this.arrows.show();
    this.road.follow(this.tracks[0].poses[this.seats.chassis].p);
  }

  /** Shows what is shown already, where a switch has changed. */
  show_again(): void {
    if (this.live) this.show_now();
    else this.show(this.time);
  }

  /** Shows a mode about the first frame, or the run again. */
  choose_mode(index: number | null): void {
    const mode = index === null ? undefined : this.report.modes[index];
    this.mode = mode ? new ModeMotion(mode) : null;
    this.tracks[0].show(this.tracks[0].times[0] ?? 0);
    this.apply();
  }

  show_mode(amplitude: number, phase: number): void {
    if (!this.mode) return;
    this.mode.show(this.rest(), amplitude, phase, this.moved);
    this.cars[0].show(this.moved);
    this.road.follow(this.moved[this.seats.chassis].p);
  }

  /** Marks an element's shapes and its point; null takes the mark away. */
  find(name: string | null, body: number | undefined, point: [number, number, number] | undefined): void {
    for (const group of this.cars[0]?.bodies ?? []) {
      for (const child of [...group.children]) if (child.userData.mark) group.remove(child);
    }
    if (name === null || !this.cars[0]) return;
    const colours = paint();
    const material = new MeshBasicMaterial({ color: colours.found, transparent: true, opacity: 0.75, depthTest: false });
    const mark = (on: number, mesh: Mesh): void => {
      mesh.renderOrder = 3;
      mesh.userData.mark = true;
      this.cars[0].bodies[on]?.add(mesh);
    };
    if (name) {
      for (const shape of this.model.shapes) {
        if (shape.type === 'between' || !('of' in shape) || shape.of !== name || shape.type === 'outline') continue;
        const parts = parts_of(shape);
        if (parts.length) mark(shape.body, new Mesh(merged(parts, colours, true).geometry, material));
      }
    }
    if (point && body !== undefined && this.cars[0].bodies[body]) {
      const ball = new Mesh(new SphereGeometry(0.012 * this.seats.size, 14, 10), material);
      ball.position.copy(vector(point));
      mark(body, ball);
    }
  }
}
