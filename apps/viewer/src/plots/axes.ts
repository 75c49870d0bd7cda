// Axes in plain numbers with their unit, the same on all plots.
import type uPlot from 'uplot';
import { paint } from '../colours';
import { number_text, unit_text } from '../format';

export const kAxisWidth = 56;   // px, of the numbers beside each plot: the same, so that the plots line up
const kLabel = 16;              // px
const kFont = '11px system-ui, sans-serif';

/** What a file says, kept to its own direction of writing and cut where it would run off a canvas. */
export function canvas_text(text: string, most = 40): string {
  const letters = Array.from(text);
  return `\u2068${letters.length > most ? letters.slice(0, most - 1).join('') + '\u2026' : text}\u2069`;
}

export function label_of(label: string, unit: string | undefined): string {
  const shown = unit_text(unit);
  return canvas_text(shown ? (label ? `${label}, ${shown}` : shown) : label || '\u2013');
}

/** On a log axis 1, 2 and 5 of each decade are written where there are few decades, else the decades alone; null for the rest. */
function log_splits(splits: number[]): (number | null)[] {
  const shown = splits.filter((x) => x > 0);
  const few = Math.log10(shown[shown.length - 1] / shown[0]) < 3;
  return splits.map((x) => {
    const digit = Math.round(x / 10 ** Math.floor(Math.log10(x) + 1e-9));
    return digit === 1 || (few && (digit === 2 || digit === 5)) ? x : null;
  });
}

export function axis(scale: 'x' | 'y', label: string, log = false): uPlot.Axis {
  const filter = log ? { filter: (_: uPlot, splits: number[]) => log_splits(splits) } : {};
  return {
    scale,
    side: scale === 'x' ? 2 : 3,
    label,
    labelSize: kLabel,
    labelFont: kFont,
    labelGap: 0,
    font: kFont,
    size: scale === 'x' ? 24 : kAxisWidth,
    gap: 4,
    space: scale === 'x' ? 56 : 20,
    stroke: () => paint().text,
    grid: { stroke: () => paint().faint, width: 1, ...filter },
    ticks: { stroke: () => paint().faint, width: 1, size: 4, ...filter },
    values: (_, splits) => splits.map((x: number | null) => (x === null ? null : number_text(x, 7))),
    ...filter,
  };
}
