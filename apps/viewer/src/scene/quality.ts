// How well the picture is drawn, by the time that a frame takes. It only goes down: up and down again would be seen.

export interface Quality { antialias: boolean; ratio: number; slow_plots: boolean }

const kSlow = 1 / 28;   // s a frame, on average: below 30 frames a second with some leave
const kWindow = 12;     // frames that are averaged
const kSteps: Quality[] = [
  { antialias: true, ratio: 2, slow_plots: false },
  { antialias: false, ratio: 1, slow_plots: false },
  { antialias: false, ratio: 0.75, slow_plots: false },
  { antialias: false, ratio: 0.5, slow_plots: false },
  { antialias: false, ratio: 0.5, slow_plots: true },
];

export class QualityKeeper {
  level = 0;
  private seconds = 0;
  private count = -2;  // the first frames compile and upload

  get now(): Quality {
    return kSteps[this.level];
  }

  /** A frame took so long; true when the quality has changed. */
  frame(seconds: number): boolean {
    if (++this.count <= 0) return false;
    this.seconds += Math.min(seconds, 0.5);
    if (this.count < kWindow) return false;
    const slow = this.seconds / this.count > kSlow && this.level + 1 < kSteps.length;
    this.seconds = 0;
    this.count = slow ? -2 : 0;
    if (slow) ++this.level;
    return slow;
  }
}

/** Frames a second over the last second or so. */
export class FrameCounter {
  private readonly stamps: number[] = [];

  frame(now: number): void {
    this.stamps.push(now);
    while (this.stamps.length > 2 && now - this.stamps[0] > 1500) this.stamps.shift();
  }

  restart(): void {
    this.stamps.length = 0;
  }

  get rate(): number {
    const n = this.stamps.length;
    return n > 1 ? (1000 * (n - 1)) / (this.stamps[n - 1] - this.stamps[0]) : 0;
  }
}
