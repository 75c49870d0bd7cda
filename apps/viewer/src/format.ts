// Numbers as people read them.
import type { Value } from './contract';

/** Plain digits, `digits` of them significant; powers of ten only outside of 1e-4 to 1e7. */
export function number_text(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return '\u2013';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size < 1e-4 || size >= 1e7) {
    const [mantissa, power] = x.toExponential(digits - 1).split('e');
    return `${mantissa.replace(/\.?0+$/, '')}e${Number(power)}`.replace('-', '\u2212').replace('e-', 'e\u2212');
  }
  return Number(x.toPrecision(digits)).toString().replace('-', '\u2212');
}

export function value_text(value: Value | undefined | null): string {
  if (typeof value === 'number') return number_text(value, 7);
  return value === undefined || value === null ? '\u2013' : String(value);
}

/** Seconds with as many decimals as the length of the run asks for, so that the width stays. */
export function time_text(t: number, length: number): string {
  return t.toFixed(length < 20 ? 3 : length < 200 ? 2 : 1);
}

/** The number at a width that does not jump while it runs: four significant digits. */
export function running_text(x: number): string {
  if (!Number.isFinite(x)) return '\u2013';
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return number_text(x, 3);
  const decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  return x.toFixed(decimals).replace('-', '\u2212');
}

const powers = (text: string): string =>
  text.replace(/\^([0-9])(?!\.?[0-9])/g, (_, digit: string) => '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[Number(digit)]);

/** m/s^2 and us as they are written by hand. */
export function unit_text(unit: string | undefined): string {
  return unit === 'us' ? '\u00b5s' : powers(unit ?? '');
}

/** Numbers with their units within a sentence: they do not break at a minus. */
export function numbers_text(text: string): string {
  return powers(text.replace(/(\de)-0*(?=\d)/g, '$1\u2212').replace(/(^|\s)-(?=[\d.])/g, '$1\u2212'));
}
