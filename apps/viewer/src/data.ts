// Numbers of the contract as typed arrays.
import type { Numbers } from './contract';

function bytes_of(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** Whole values of `size` bytes; a tail that was cut off is left out. */
function buffer_of(base64: string, size: number): ArrayBuffer {
  const bytes = bytes_of(base64);
  return bytes.buffer.slice(0, bytes.length - (bytes.length % size)) as ArrayBuffer;
}

/** Differences in groups of seven bits from the lowest, the top bit where another one follows; odd: -(d + 1)/2, even: d/2. */
function differences_of(base64: string): Int32Array {
  const bytes = bytes_of(base64);
  const steps = new Int32Array(bytes.length);
  let count = 0;
  let word = 0;
  let shift = 0;
  for (const byte of bytes) {
    word |= (byte & 127) << shift;
    shift += 7;
    if (byte & 128) continue;
    steps[count++] = word & 1 ? -((word + 1) >> 1) : word >> 1;
    word = shift = 0;
  }
  return steps.subarray(0, count);
}

const at = (value: number | number[], column: number): number => (Array.isArray(value) ? value[column] ?? 0 : value);

/**
 * Decodes numbers; a matrix is row-major with `columns` columns.
 * Differences are summed down each column: value = offset + scale * sum. Anything that is none of these gives no numbers.
 */
export function decode(numbers: Numbers | undefined, columns = 1): Float64Array {
  try {
    if (Array.isArray(numbers)) return Float64Array.from(numbers, (x) => (typeof x === 'number' ? x : NaN));
    if (!numbers || typeof numbers !== 'object') return new Float64Array(0);
    if ('f32' in numbers) return Float64Array.from(new Float32Array(buffer_of(numbers.f32, 4)));
    if ('u32' in numbers) return Float64Array.from(new Uint32Array(buffer_of(numbers.u32, 4)));
    if ('columns' in numbers) {
      const parts = numbers.columns.map((part) => decode(part));
      const rows = Math.min(...parts.map((part) => part.length));
      const values = new Float64Array(rows * parts.length);
      parts.forEach((part, c) => {
        for (let r = 0; r < rows; ++r) values[r * parts.length + c] = part[r];
      });
      return values;
    }
    if ('i16d' in numbers || 'vd' in numbers || 'vdd' in numbers) {
      const steps =
        'vdd' in numbers ? differences_of(numbers.vdd)
        : 'vd' in numbers ? differences_of(numbers.vd)
        : new Int16Array(buffer_of(numbers.i16d, 2));
      if ('vdd' in numbers) for (let k = columns; k < steps.length; ++k) steps[k] += steps[k - columns];
      const values = new Float64Array(steps.length);
      const sums = new Float64Array(columns);
      for (let k = 0; k < steps.length; ++k) {
        const c = k % columns;
        sums[c] += steps[k];
        values[k] = at(numbers.offset, c) + at(numbers.scale, c) * sums[c];
      }
      return values;
    }
  } catch {
    // no base64: no numbers
  }
  return new Float64Array(0);
}

/** The index of the last value that is not above `x` in increasing values; 0 where there is none. */
export function find_row(values: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Linear between the rows, the first and last value outside. */
export function interpolate(xs: ArrayLike<number>, ys: ArrayLike<number>, x: number): number {
  const n = Math.min(xs.length, ys.length);
  if (n === 0) return NaN;
  const k = Math.min(find_row(xs, x), n - 1);
  if (k + 1 >= n || x <= xs[k]) return ys[k];
  const w = (x - xs[k]) / (xs[k + 1] - xs[k]);
  return ys[k] + w * (ys[k + 1] - ys[k]);
}
