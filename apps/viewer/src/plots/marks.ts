// Marks as vertical lines, or bands from a time to another, with the level that was read there, and labels above the plot, in up
// to three rows where they would meet.
import type uPlot from 'uplot';
import { paint } from '../colours';
import { canvas_text } from './axes';

export interface PlotMark { x: number; label: string; until?: number; level?: number }

export const kMarkRows = 39;  // px above a plot for three rows of labels
const kRow = 12;
const kGap = 6;

/** A ring where a curve was read, a line where it was read over a time. */
function draw_level(u: uPlot, level: number | undefined, from: number, to: number): void {
  if (level === undefined || !Number.isFinite(level)) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio || 1;
  const y = u.valToPos(level, 'y', true);
  if (!(y >= bbox.top && y <= bbox.top + bbox.height)) return;
  ctx.globalAlpha = 0.9;
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineWidth = 1.4 * ratio;
  ctx.beginPath();
  if (to > from) {
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
  } else {
    ctx.arc(from, y, 4 * ratio, 0, 2 * Math.PI);
  }
  ctx.stroke();
  ctx.restore();
}

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
    const right = bbox.left + bbox.width;
    let x = Math.round(u.valToPos(mark.x, 'x', true));
    const until = Number.isFinite(mark.until) ? Math.round(u.valToPos(mark.until!, 'x', true)) : x;
    if (!(until >= bbox.left && x <= right)) continue;
    ctx.strokeStyle = ctx.fillStyle = colours.text;
    if (until > x) {
      const from = Math.max(x, bbox.left);
      const to = Math.min(until, right);
      ctx.globalAlpha = 0.08;
      ctx.fillRect(from, bbox.top, to - from, bbox.height);
      // bands that meet are told apart
      ctx.globalAlpha = 0.2;
      for (const edge of [x, until]) if (edge >= from && edge <= to) ctx.fillRect(edge - 0.5 * ratio, bbox.top, ratio, bbox.height);
      draw_level(u, mark.level, from, to);
      x = 0.5 * (from + to);
    } else {
      ctx.globalAlpha = 0.55;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      draw_level(u, mark.level, x, x);
    }
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
