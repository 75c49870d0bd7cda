// The time that the page shows, and who follows it.

export class Player {
  time: number;
  speed = 1;
  /** of the axis, a second of the reader's time */
  pace = 1;
  playing = false;
  private followers: ((t: number) => void)[] = [];
  private switched: (() => void)[] = [];

  constructor(public start: number, public end: number) {
    this.time = start;
  }

  /** Goes over another stretch from now on, which takes `seconds` of the reader's time. */
  stretch(start: number, end: number, seconds: number): void {
    this.play(false);
    this.start = start;
    this.end = end;
    this.pace = this.length / seconds || 1;
  }

  get length(): number {
    return this.end - this.start;
  }

  /** `act` is called with each new time. */
  follow(act: (t: number) => void): void {
    this.followers.push(act);
  }

  /** `act` is called when it starts or stops. */
  on_switch(act: () => void): void {
    this.switched.push(act);
  }

  seek(t: number): void {
    this.time = Math.min(Math.max(t, this.start), this.end);
    for (const act of this.followers) act(this.time);
  }

  play(on = true): void {
    if (on && this.time >= this.end) this.seek(this.start);
    this.playing = on && this.length > 0;
    for (const act of this.switched) act();
  }

  /** `seconds` of the reader's time have gone by. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + seconds * this.speed * this.pace;
    this.seek(next);
    if (next >= this.end) this.play(false);
  }
}
