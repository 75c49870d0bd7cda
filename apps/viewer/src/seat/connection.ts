// The line to the program that steps the car.
import { kPose } from '../poses';
import type { Slider } from './sliders';

export interface Dash {
  vx?: number; vy?: number; ax?: number; ay?: number; yaw?: number; motor_speed?: number; gear?: number; steering?: number;
  steering_ratio: number;
  loads: { name: string; channel: number }[];
}
export interface Hello {
  channels: { name: string; unit: string }[];
  bodies: number;
  controls: Record<'steering' | 'throttle' | 'brake' | 'gear', boolean>;
  /** places among the channels: of the inputs that the controls set, and of what the dash shows */
  inputs: Partial<Record<'steering' | 'throttle' | 'brake' | 'gear', number>>;
  dash: Dash;
  sliders: Slider[];
}

/** A moment of the drive: numbers as they came, and where the parts begin. */
export interface Moment { t: number; failed: boolean; silent: boolean; paused: boolean; outputs: Float32Array; poses: Float32Array; hit: Float32Array }

export type Role = 'driver' | 'watcher' | 'free';
export interface Listener {
  hello(hello: Hello): void;
  role(role: Role): void;
  notice(text: string): void;
  /** of the sliders, as the car has them now */
  factors(factors: number[]): void;
  moment(moment: Moment): void;
  closed(): void;
}

const kHead = 4;

export class Connection {
  private readonly socket: WebSocket;
  private channels = 0;
  private bodies = 0;

  constructor(listener: Listener) {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    this.socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.socket.binaryType = 'arraybuffer';
    this.socket.addEventListener('close', () => listener.closed());
    this.socket.addEventListener('message', (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === 'string') this.read(event.data, listener);
      else listener.moment(this.moment(new Float32Array(event.data)));
    });
  }

  send(message: Record<string, unknown>): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private read(text: string, listener: Listener): void {
    const said = JSON.parse(text) as { type: string; text?: string; role?: Role; factors?: number[] };
    if (said.type === 'hello') {
      const hello = said as unknown as Hello;
      this.channels = hello.channels.length;
      this.bodies = hello.bodies;
      listener.hello(hello);
    } else if (said.type === 'role' && said.role) {
      listener.role(said.role);
    } else if (said.type === 'notice') {
      listener.notice(said.text ?? '');
    } else if (said.type === 'sliders' && said.factors) {
      listener.factors(said.factors);
    }
  }

  private moment(numbers: Float32Array): Moment {
    const poses = kHead + this.channels;
    const hit = poses + kPose * this.bodies;
    return {
      t: numbers[0], failed: numbers[1] !== 0, silent: numbers[2] !== 0, paused: numbers[3] !== 0,
      outputs: numbers.subarray(kHead, poses), poses: numbers.subarray(poses, hit), hit: numbers.subarray(hit),
    };
  }
}
