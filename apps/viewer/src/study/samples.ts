// The samples of a study: their numbers, which of them are kept by the brushes, which one is picked.
import type { Study } from '../contract';
import { decode } from '../data';
import { number_text } from '../format';

export interface Column {
  name: string; unit: string; response: boolean; log: boolean; words: string[]; settings: string[]; values: Float64Array;
  /** least and largest that an axis shows, in logarithms where it is logarithmic */
  low: number; high: number;
}

const kRoom = 0.04;  // of an axis beyond its least and largest value, each
const kFirstFactors = 8;
const kFirstResponses = 5;

/** The number as all its digits make it again. */
const exact_text = (x: number): string => (Number.isFinite(x) ? String(x) : '');

function column_of(given: Study['columns'][number], count: number): Column {
  const values = new Float64Array(count).fill(NaN);
  values.set(decode(given.values).subarray(0, count));
  const words = given.words ?? [];
  const finite = Array.from(values).filter(Number.isFinite);
  const log = given.log === true && finite.length > 0 && finite.every((x) => x > 0);
  let low = Infinity;
  let high = -Infinity;
  for (const x of finite) {
    const at = log ? Math.log10(x) : x;
    low = Math.min(low, at);
    high = Math.max(high, at);
  }
  if (words.length) (low = 0), (high = words.length - 1);
  if (!(low <= high)) (low = 0), (high = 1);
  const room = kRoom * (high - low) || 0.1 * Math.abs(high) || 1;
  return {
    name: given.name, unit: given.unit === '1' ? '' : given.unit ?? '', response: given.response === true, log, words, settings: given.settings ?? [], values,
    low: low - room, high: high + room,
  };
}

/** 0 at the lower end of the column's axis, 1 at the upper one. */
export function part_of(column: Column, x: number): number {
  return ((column.log ? Math.log10(x) : x) - column.low) / (column.high - column.low);
}

export function value_at(column: Column, part: number): number {
  const x = column.low + part * (column.high - column.low);
  return column.log ? 10 ** x : x;
}

/** Round values on an axis, about `most` of them. */
export function ticks_of(column: Column, most: number): number[] {
  if (column.words.length) {
    const step = Math.ceil(column.words.length / Math.max(most, 2));
    return column.words.map((_, k) => k).filter((k) => k % step === 0);
  }
  const low = value_at(column, 0);
  const high = value_at(column, 1);
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough) ?? 10 * power;
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high * (1 + 1e-12) && ticks.length < 50; ++k) ticks.push(k * step);
  return ticks.filter((x) => !column.log || x > 0);
}

/** A value as it is read: a word, or so many digits. */
export function text_at(column: Column, x: number, digits = 5): string {
  return column.words.length ? column.words[Math.round(x)] ?? '\u2013' : number_text(x, digits);
}

export class Samples {
  readonly ids: Float64Array;
  readonly columns: Column[];
  readonly failures: Map<number, string>;
  /** columns that the views show */
  shown: number[];
  readonly brushes = new Map<number, [number, number]>();
  kept: Uint8Array;
  picked = -1;
  private readonly followers: (() => void)[] = [];

  constructor(readonly study: Study) {
    this.ids = decode(study.samples);
    this.columns = study.columns.map((column) => column_of(column, this.ids.length));
    this.failures = new Map(study.failures.map((failure) => [failure.row, failure.why]));
    const first = (response: boolean, most: number): number[] =>
      this.columns.map((_, k) => k).filter((k) => this.columns[k].response === response).slice(0, most);
    this.shown = [...first(false, kFirstFactors), ...first(true, kFirstResponses)];
    this.kept = new Uint8Array(this.count).fill(1);
  }

  get count(): number {
    return this.ids.length;
  }

  get kept_count(): number {
    return this.kept.reduce((sum, one) => sum + one, 0);
  }

  /** `act` is called when a brush, the columns shown, or the picked sample have changed. */
  follow(act: () => void): void {
    this.followers.push(act);
  }

  private changed(): void {
    for (const act of this.followers) act();
  }

  /** Keeps what lies between two values of a column; null: whatever it is. A sample without a value is not kept. */
  brush(column: number, range: [number, number] | null): void {
    if (range) this.brushes.set(column, range[0] <= range[1] ? range : [range[1], range[0]]);
    else this.brushes.delete(column);
    this.kept = new Uint8Array(this.count).fill(1);
    for (const [k, [low, high]] of this.brushes) {
      const { values } = this.columns[k];
      for (let row = 0; row < this.count; ++row) if (!(values[row] >= low && values[row] <= high)) this.kept[row] = 0;
    }
    this.changed();
  }

  clear(): void {
    for (const column of [...this.brushes.keys()]) this.brushes.delete(column);
    this.kept.fill(1);
    this.changed();
  }

  pick(row: number): void {
    this.picked = row >= 0 && row < this.count ? row : -1;
    this.changed();
  }

  show_column(column: number, on: boolean): void {
    this.shown = this.columns.map((_, k) => k).filter((k) => (k === column ? on : this.shown.includes(k)));
    if (!on) this.brush(column, null);
    else this.changed();
  }

  /** The command lines that make the car of a row and a page of it. */
  commands(row: number): string[] {
    const settings = this.columns.flatMap((column) => {
      const value = column.words.length ? column.words[column.values[row]] ?? '' : exact_text(column.values[row]);
      return column.settings.map((setting) => ` --set ${shell_word(setting + value)}`);
    });
    const { commands } = this.study;
    // each writes a page of its own
    const page = (k: number): string => `car_${this.ids[row]}${commands.length > 1 ? `_${k + 1}` : ''}.html`;
    return commands.map((command, k) => `${command}${settings.join('')} --report ${page(k)}`);
  }
}

/** For a shell, in one pair of quotes where it needs them. */
function shell_word(word: string): string {
  return /^[\w\-./=,:+@%]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
