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
const named = (x: Loose): Loose => ({ ...x, name: text(x.name) });
const is_point = (x: unknown): boolean => Array.isArray(x) && x.length === 3 && x.every((v) => Number.isFinite(v));

/** The lists that the page walks are there, possibly empty, and hold objects with names. */
function completed(loose: Loose): Report {
  const model = is_object(loose.model) ? loose.model : {};
  const bodies = objects(model.bodies).map(named);
  const has_body = (x: unknown): boolean => Number.isInteger(x) && (x as number) >= 0 && (x as number) < bodies.length;
  const shape_is_whole = (shape: Loose): boolean =>
    shape.type === 'between'
      ? [shape.a, shape.b].every((end) => is_object(end) && has_body(end.body) && is_point(end.point))
      : has_body(shape.body) && ['a', 'b', 'point', 'centre', 'axis', 'size'].every((k) => !(k in shape) || is_point(shape[k]));
  const report = {
    ...loose,
    format: loose.format,
    kind: text(loose.kind),
    title: text(loose.title) || 'semirec',
    warnings: texts(loose.warnings),
    notes: texts(loose.notes),
    answers: objects(loose.answers).map(named),
    facts: objects(loose.facts).map(named),
    model: {
      ...model,
      name: text(model.name),
      bodies,
      shapes: objects(model.shapes).filter(shape_is_whole),
      elements: objects(model.elements).map(named),
      suspects: objects(model.suspects).map((suspect) => ({ ...suspect, text: text(suspect.text) })),
    },
    road: { meshes: is_object(loose.road) ? objects(loose.road.meshes) : [] },
    runs: objects(loose.runs).map((run) => ({
      ...named(run),
      poses: is_object(run.poses) ? run.poses : undefined,
      arrows: objects(run.arrows).map(named),
      channels: objects(run.channels).map(named),
      marks: objects(run.marks),
    })),
    charts: objects(loose.charts).map((chart) => ({
      ...chart,
      title: text(chart.title),
      x: is_object(chart.x) ? chart.x : { label: '' },
      y: is_object(chart.y) ? chart.y : { label: '' },
      series: objects(chart.series).map(named),
      marks: objects(chart.marks),
    })),
    modes: objects(loose.modes).map(named),
    tables: objects(loose.tables).map((table) => ({
      ...table,
      title: text(table.title),
      columns: objects(table.columns).map(named),
      rows: Array.isArray(table.rows) ? table.rows.filter(Array.isArray) : [],
    })),
  };
  return report as unknown as Report;
}

/** The report, and a line for each thing that keeps it from being read as it was meant. */
export function read_report(source: string): { report: Report; faults: string[] } {
  const faults: string[] = [];
  let value: unknown = {};
  try {
    value = JSON.parse(source);
  } catch {
    try {
      value = JSON.parse(ended(source) || '{}');
      faults.push('The results in this file are cut short or damaged: shown is what could be read.');
    } catch {
      faults.push('The results in this file cannot be read: they are no JSON text.');
    }
  }
  if (!is_object(value)) {
    faults.push('The results in this file are no report of semirec.');
    value = {};
  }
  const loose = value as Loose;
  if (faults.length === 0 && loose.format !== kFormat) {
    faults.push(`This page reads format ${kFormat}, the results have format ${text(loose.format).slice(0, 40) || 'none'}: ` +
      'shown is what could be read.');
  }
  return { report: completed(loose), faults };
}
