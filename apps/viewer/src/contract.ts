// What a page is given: the JSON in <script type="application/json" id="semirec-report">.
// Axes: ISO 8855 world (x forward, y left, z up), SI units, quaternions x y z w from body to world.

/** Numbers as base64 of little-endian values, as differences, by columns, or plain; null is "no number". */
export type Numbers =
  | (number | null)[]
  | { f32: string }
  | { u32: string }
  | { i16d: string; scale: number | number[]; offset: number | number[] }
  | { vd: string; scale: number | number[]; offset: number | number[] }
  | { vdd: string; scale: number | number[]; offset: number | number[] }
  | { columns: Numbers[] };

export type Point = [number, number, number];
export type Quaternion = [number, number, number, number];
export type Value = number | string;

export interface Answer { name: string; value: Value; unit?: string; uncertainty?: number; note?: string }
export interface Fact { name: string; value: Value; unit?: string }

interface Named { of?: string; line?: number }
interface On { body: number }
export interface Frame { p: Point; q: Quaternion }
export interface Cylinder extends Named, On { type: 'cylinder'; a: Point; b: Point; radius: number; role?: string }
export interface End { body: number; point: Point }
export interface Between extends Named { type: 'between'; role?: string; a: End; b: End; radius: number }
export interface Hull extends Named, On { type: 'hull'; points: Point[]; role?: string }
export interface WheelShape extends Named, On {
  type: 'wheel'; centre: Point; axis: Point; radius: number; width: number; rim_radius: number;
}
export interface Outline extends Named, On { type: 'outline'; lines: Point[]; role?: string }
export interface CentreOfMass extends Named, On { type: 'com'; point: Point }
export interface JointShape extends Named, On { type: 'joint'; kind: string; point: Point; axis: Point; cut?: boolean }
export interface BushingShape extends Named, On { type: 'bushing'; point: Point; axis: Point }
export interface Box extends Named, On { type: 'box'; frame: Frame; size: Point; colour?: string }
export interface Ball extends Named, On { type: 'sphere'; centre: Point; radius: number; colour?: string }
export interface MeshShape extends Named, On {
  type: 'mesh'; frame: Frame; positions: Numbers; indices: Numbers; colour?: string;
}
export type Shape =
  | Cylinder | Between | Hull | WheelShape | Outline | CentreOfMass | JointShape | BushingShape | Box | Ball | MeshShape;

export interface Body { name: string; line?: number; com?: Point; mass?: number }
export interface Element {
  name: string; kind: string; line?: number; file?: string; text?: string; body?: number; point?: Point;
}
export interface Suspect { text: string; body?: number; point?: Point }
export interface Model {
  name: string; file?: string; bodies: Body[]; shapes: Shape[]; elements: Element[]; suspects: Suspect[];
}

export interface RoadMesh { positions: Numbers; indices: Numbers; friction?: Numbers; name?: string }

export interface Arrow { name: string; kind: string; times?: Numbers; at: Numbers; force: Numbers }
export interface Channel { name: string; unit?: string; values: Numbers; group?: string; headline?: boolean }
/** `until`: the end of a span, `level`: the value there */
export interface Mark { time: number; label: string; channel?: string; until?: number; level?: number }
/** How far a body has turned about an axis of its own, rad, at the times of the poses. */
export interface Spin { body: number; axis: Point; angles: Numbers }
export interface Run {
  name: string;
  poses?: { times: Numbers; bodies: Numbers };
  /** wheels: between two poses one may go around more than once */
  spins?: Spin[];
  arrows: Arrow[];
  times?: Numbers;
  channels: Channel[];
  marks: Mark[];
  thinned?: string;
  /** what poses and channels run over; time in s where absent */
  axis?: { label: string; unit: string };
  /** of one among several that are shown by turns, each over its own axis: what the titles of its charts begin with */
  charts?: string;
}

export interface AxisText { label: string; unit?: string; log?: boolean }
export interface Series { name: string; x: Numbers; y: Numbers; points?: boolean }
export interface Chart { title: string; x: AxisText; y: AxisText; series: Series[]; marks?: { x: number; label: string; until?: number; level?: number }[] }

export interface Mode { name: string; frequency: number; damping: number; shape: Numbers }
export interface Table { title: string; columns: { name: string; unit?: string }[]; rows: Value[][] }

/** A parameter that a study varies, or a response; `settings`: what stands before its value in --set. */
export interface StudyColumn {
  name: string; unit?: string; response?: boolean; log?: boolean; words?: string[]; settings?: string[]; values: Numbers;
}
/** A car that is drawn otherwise than the model: its poses (7 numbers a body) and the shapes that differ, by place in the list. */
export interface StudyCar { row: number; poses: Numbers; shapes: { place: number; shape: Shape }[] }
export interface Study {
  samples: Numbers; columns: StudyColumn[]; failures: { row: number; why: string }[]; commands: string[]; cars: StudyCar[]; drawn?: string;
}

export interface Report {
  format: number;
  kind: string;
  title: string;
  subtitle?: string;
  command?: string;
  version?: string;
  fingerprint?: string;
  status?: string;
  warnings: string[];
  notes: string[];
  answers: Answer[];
  facts: Fact[];
  model: Model;
  /** cones: where they stand */
  road: { meshes: RoadMesh[]; cones: Point[] };
  runs: Run[];
  charts: Chart[];
  modes: Mode[];
  tables: Table[];
  study?: Study;
}
