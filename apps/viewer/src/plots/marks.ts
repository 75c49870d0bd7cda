// Marks as vertical lines with labels above the plot, in up to three rows where they would meet.
import type uPlot from 'uplot';
import { paint } from '../colours';
import { canvas_text } from './axes';

export interface PlotMark { x: number; label: string }

export const kMarkRows = 39;  // px above a plot for three rows of labels
const kRow = 12;
const kGap = 6;

/** Draws into the canvas of `u`, which has kMarkRows above its plot where any mark has a label. */
export function draw_marks(u: uPlot, marks: PlotMark[]): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio || 1;
  const colours = paint();
  ctx.save();
  ctx.font = `${10.5 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'bottom';
  ctx.textAlign = 'left';
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  const ends = [-Infinity, -Infinity, -Infinity];  // of the labels in each row
  for (const mark of [...marks].sort((a, b) => a.x - b.x)) {
    const x = Math.round(u.valToPos(mark.x, 'x', true));
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) continue;
    ctx.strokeStyle = colours.text;
    ctx.globalAlpha = 0.55;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    if (!mark.label) continue;
    const text = canvas_text(mark.label, 28);
    const width = ctx.measureText(text).width;
    const left = Math.min(Math.max(x - 0.5 * width, bbox.left - 4 * ratio), bbox.left + bbox.width - width);
    const row = ends.findIndex((end) => left > end);
    if (row < 0) continue;  // no room: the line stays
    ends[row] = left + width + kGap * ratio;
    ctx.fillStyle = colours.text;
    ctx.fillText(text, left, bbox.top - (2 + row * kRow) * ratio);
  }
  ctx.restore();
}
