// Reads the report that stands in the page, as much of it as there is.
import type { Report } from './contract';

export const kFormat = 1;

/** Calls `seen` for each bracket and comma of a JSON text outside of its strings. */
function walk(text: string, until: number, seen: (c: string, at: number) => void): void {
  for (let k = 0; k < until; ++k) {
    const c = text[k];
    if (c === '"') {
      // strings are long: from quote to quote, past those that are escaped
      do {
        k = text.indexOf('"', k + 1);
        if (k < 0) return;
        let slashes = 0;
        while (text[k - 1 - slashes] === '\\') ++slashes;
        if (slashes % 2 === 0) break;
      } while (true);
    } else if ('{}[],'.includes(c)) {
      seen(c, k);
    }
  }
}

/** A JSON text that was cut short, ended after its last whole value; empty where there is none. */
export function ended(text: string): string {
  let end = 0;
  walk(text, text.length, (c, at) => {
    end = c === ',' ? at : at + 1;
  });
  const open: string[] = [];
  walk(text, end, (c) => {
    if (c === '{') open.push('}');
    else if (c === '[') open.push(']');
    else if (c !== ',') open.pop();
  });
  return text.slice(0, end) + open.reverse().join('');
}

type Loose = Record<string, unknown>;
const is_object = (x: unknown): x is Loose => typeof x === 'object' && x !== null && !Array.isArray(x);
const objects = (x: unknown): Loose[] => (Array.isArray(x) ? x.filter(is_object) : []);
const text = (x: unknown): string => (typeof x === 'string' ? x : x === undefined || x === null ? '' : String(x));
const texts = (x: unknown): string[] => (Array.isArray(x) ? x.map(text) : []);
const optional_text = (x: unknown): string | undefined => (x === undefined || x === null ? undefined : text(x));
const number = (x: unknown): number => (typeof x === 'number' ? x : NaN);
const optional_number = (x: unknown): number | undefined => (typeof x === 'number' && Number.isFinite(x) ? x : undefined);
const value = (x: unknown): number | string => (typeof x === 'number' ? x : x === null || x === undefined ? NaN : text(x));
/** A copy in which the fields named are what they ought to be. */
function typed(x: Loose, fields: Record<string, (field: unknown) => unknown>): Loose {
  const copy = { ...x };
  for (const [key, read] of Object.entries(fields)) copy[key] = read(x[key]);
  return copy;
}
const named = (x: Loose): Loose => typed(x, { name: text });
const is_point = (x: unknown): boolean => Array.isArray(x) && x.length === 3 && x.every((v) => Number.isFinite(v));

const line = { line: optional_number };
const points = (x: unknown): unknown[] => (Array.isArray(x) ? x.filter(is_point) : []);
const point = (x: unknown): unknown => (is_point(x) ? x : undefined);
const axis = (x: unknown): unknown => typed(is_object(x) ? x : {}, { label: text, unit: optional_text });

/** The points that a shape must have. */
const kPoints = new Map<unknown, string[]>([
  ['cylinder', ['a', 'b']], ['wheel', ['centre', 'axis']], ['com', ['point']], ['joint', ['point', 'axis']], ['bushing', ['point', 'axis']],
  ['box', ['size']], ['sphere', ['centre']],
]);

/** What of a list of shapes can be drawn with so many bodies. */
function shapes_of(x: unknown, count: number): unknown[] {
  const is_body = (k: unknown): boolean => Number.isInteger(k) && (k as number) >= 0 && (k as number) < count;
  const is_whole = (shape: Loose): boolean =>
    shape.type === 'between'
      ? [shape.a, shape.b].every((end) => is_object(end) && is_body(end.body) && is_point(end.point))
      : is_body(shape.body) && (kPoints.get(shape.type) ?? []).every((k) => is_point(shape[k]));
  return objects(x).filter(is_whole).map((shape) => typed(shape, { of: text, colour: optional_text, ...line }));
}

function model_of(x: unknown): unknown {
  const model = is_object(x) ? x : {};
  const bodies = objects(model.bodies).map((body) => typed(body, { name: text, mass: optional_number, com: point, ...line }));
  const is_body = (k: unknown): boolean => Number.isInteger(k) && (k as number) >= 0 && (k as number) < bodies.length;
  const body = (k: unknown): unknown => (is_body(k) ? k : undefined);
  return {
    name: text(model.name),
    file: optional_text(model.file),
    bodies,
    shapes: shapes_of(model.shapes, bodies.length),
    elements: objects(model.elements).map((element) => typed(element, { name: text, kind: text, text, file: optional_text, body, point, ...line })),
    suspects: objects(model.suspects).map((suspect) => typed(suspect, { text, body, point })),
  };
}

function run_of(run: Loose): unknown {
  return {
    ...named(run),
    poses: is_object(run.poses) ? run.poses : undefined,
    spins: objects(run.spins).filter((spin) => Number.isInteger(spin.body) && is_point(spin.axis)),
    arrows: objects(run.arrows).map(named),
    channels: objects(run.channels).map((channel) => typed(channel, { name: text, unit: optional_text, group: optional_text })),
    marks: objects(run.marks).filter((mark) => Number.isFinite(mark.time)).map((mark) => typed(mark, { label: text, channel: optional_text, until: optional_number, level: optional_number })),
    thinned: optional_text(run.thinned),
    charts: optional_text(run.charts),
    axis: is_object(run.axis) ? typed(run.axis, { label: text, unit: text }) : undefined,
  };
}

function chart_of(chart: Loose): unknown {
  return {
    title: text(chart.title),
    x: axis(chart.x),
    y: axis(chart.y),
    series: objects(chart.series).map(named),
    marks: objects(chart.marks).filter((mark) => Number.isFinite(mark.x)).map((mark) => typed(mark, { label: text, until: optional_number, level: optional_number })),
  };
}

function table_of(table: Loose): unknown {
  return {
    title: text(table.title),
    columns: objects(table.columns).map((column) => typed(column, { name: text, unit: optional_text })),
    rows: Array.isArray(table.rows) ? table.rows.filter(Array.isArray).map((row) => row.map(value)) : [],
  };
}

/** Without columns there is no study. */
function study_of(x: unknown, bodies: number): unknown {
  if (!is_object(x)) return undefined;
  const row = (k: unknown): boolean => Number.isInteger(k) && (k as number) >= 0;
  const columns = objects(x.columns).map((column) => ({
    ...typed(column, { name: text, unit: optional_text }),
    response: column.response === true, log: column.log === true, words: texts(column.words), settings: texts(column.settings),
  }));
  if (columns.length === 0) return undefined;
  return {
    samples: x.samples,
    columns,
    failures: objects(x.failures).filter((failure) => row(failure.row)).map((failure) => typed(failure, { why: text })),
    commands: texts(x.commands),
    cars: objects(x.cars).filter((car) => row(car.row)).map((car) => ({
      row: car.row, poses: car.poses,
      shapes: objects(car.shapes).filter((own) => row(own.place) && shapes_of([own.shape], bodies).length === 1),
    })),
    drawn: optional_text(x.drawn),
  };
}

/** All lists are there, possibly empty, and what stands in them is of its type. */
function completed(loose: Loose): Report {
  const report = {
    ...typed(loose, { kind: text, subtitle: optional_text, command: optional_text, version: optional_text, fingerprint: optional_text, status: optional_text }),
    title: text(loose.title) || 'semirec',
    warnings: texts(loose.warnings),
    notes: texts(loose.notes),
    answers: objects(loose.answers).map((answer) => typed(answer, { name: text, value, unit: optional_text, uncertainty: optional_number, note: optional_text })),
    facts: objects(loose.facts).map((fact) => typed(fact, { name: text, value, unit: optional_text })),
    model: model_of(loose.model),
    road: { meshes: is_object(loose.road) ? objects(loose.road.meshes) : [], cones: is_object(loose.road) ? points(loose.road.cones) : [] },
    runs: objects(loose.runs).map(run_of),
    charts: objects(loose.charts).map(chart_of),
    modes: objects(loose.modes).map((mode) => typed(mode, { name: text, frequency: number, damping: number })),
    tables: objects(loose.tables).map(table_of),
    study: study_of(loose.study, is_object(loose.model) ? objects(loose.model.bodies).length : 0),
  };
  return report as unknown as Report;
}

/** The report, and a line for each thing that keeps it from being read as it was meant. */
export function read_report(source: string): { report: Report; faults: string[] } {
  const faults: string[] = [];
  let read: unknown = {};
  try {
    read = JSON.parse(source);
  } catch {
    try {
      read = JSON.parse(ended(source) || '{}');
      faults.push('The results in this file are cut short or damaged: shown is what could be read.');
    } catch {
      faults.push('The results in this file cannot be read: they are no JSON text.');
    }
  }
  if (!is_object(read)) {
    faults.push('The results in this file are no report of semirec.');
    read = {};
  }
  const loose = read as Loose;
  if (faults.length === 0 && loose.format !== kFormat) {
    faults.push(`This page reads format ${kFormat}, the results have format ${text(loose.format).slice(0, 40) || 'none'}: ` +
      'shown is what could be read.');
  }
  return { report: completed(loose), faults };
}
