// How well the picture is drawn, by the time that a frame takes: worse at once when it is slow, better again after some seconds of
// fast frames, and that a few times only, for each change is seen.

export interface Quality { antialias: boolean; ratio: number; slow_plots: boolean }

const kSlow = 1 / 28;   // s a frame, on average: below 30 frames a second with some leave
const kFast = 1 / 50;   // s a frame
const kWindow = 12;     // frames that are averaged
const kPatience = 20;   // fast windows in a row before the picture is made better
const kRises = 3;       // of them in all
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
  private fast = 0;
  private rises = 0;

  get now(): Quality {
    return kSteps[this.level];
  }

  /** A frame took so long; true when the quality has changed. */
  frame(seconds: number): boolean {
    if (++this.count <= 0) return false;
    this.seconds += Math.min(seconds, 0.5);
    if (this.count < kWindow) return false;
    const mean = this.seconds / this.count;
    const slow = mean > kSlow && this.level + 1 < kSteps.length;
    this.fast = mean < kFast ? this.fast + 1 : 0;
    const rise = this.fast >= kPatience && this.level > 0 && this.rises < kRises;
    if (rise) {
      ++this.rises;
      this.fast = 0;
    }
    this.level += slow ? 1 : rise ? -1 : 0;
    this.seconds = 0;
    this.count = slow || rise ? -2 : 0;
    return slow || rise;
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
