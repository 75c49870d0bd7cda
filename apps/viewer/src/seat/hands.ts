// What the driver does with keys, mouse or gamepad, as the controls of a car.

/** Steering is the angle of the steering wheel, to the left positive, rad. */
export interface Held { steering: number; throttle: number; brake: number; gear: number }

const kLock = 7.5;         // rad each way
const kKeyRate = 7;        // rad/s with which a key turns the wheel at rest
const kReturn = 9;         // rad/s with which it comes back
const kPedalRate = 2.5;    // 1/s
const kCalmSpeed = 9;      // m/s at which keys turn half as far
const kDeadBand = 0.06;    // of a gamepad's stick
const kStands = 0.5;       // m/s
const kFirstGear = 10;     // m/s up to which the first gear of any car is a gear to drive in
const kKeys: Record<string, keyof Pressed> = {
  ArrowLeft: 'left', KeyA: 'left', ArrowRight: 'right', KeyD: 'right', ArrowUp: 'go', KeyW: 'go', ArrowDown: 'stop', KeyS: 'stop', Space: 'halt',
};
interface Pressed { left: boolean; right: boolean; go: boolean; stop: boolean; halt: boolean }

const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);
const towards = (x: number, goal: number, way: number): number => (Math.abs(goal - x) <= way ? goal : x + Math.sign(goal - x) * way);

export class Hands {
  readonly held: Held = { steering: 0, throttle: 0, brake: 0, gear: 1 };
  /** the mouse steers while it is over the view */
  mouse = false;
  private readonly pressed: Pressed = { left: false, right: false, go: false, stop: false, halt: false };
  private pointed: { x: number; y: number } | null = null;
  /** the gear by hand */
  private shifted = false;

  /** Goes on from what the car has: a gear that nobody has chosen here stays. */
  take_over(held: Held): void {
    Object.assign(this.held, held);
    this.shifted = false;
  }

  shift(by: 1 | -1): void {
    this.held.gear = clamp(this.held.gear + by, -1, 20);
    this.shifted = true;
  }

  constructor(view: HTMLElement, act: (key: string) => boolean) {
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest('input[type=search], input[type=text]')) return;
      const key = kKeys[event.code];
      if (key) this.pressed[key] = true;
      if (key || act(event.code)) event.preventDefault();
    });
    document.addEventListener('keyup', (event) => {
      const key = kKeys[event.code];
      if (key) this.pressed[key] = false;
    });
    // keys that go up elsewhere are not heard here
    window.addEventListener('blur', () => Object.keys(this.pressed).forEach((key) => (this.pressed[key as keyof Pressed] = false)));
    view.addEventListener('pointermove', (event) => {
      const box = view.getBoundingClientRect();
      this.pointed = { x: 1 - (2 * (event.clientX - box.left)) / box.width, y: 1 - (2 * (event.clientY - box.top)) / box.height };
    });
    view.addEventListener('pointerleave', () => (this.pointed = null));
  }

  /** Moves the controls on by `seconds` at a speed of the car in m/s. */
  advance(seconds: number, speed: number): Held {
    const { held, pressed } = this;
    const pad = navigator.getGamepads?.().find((one) => one?.connected && one.axes.length > 0) ?? null;
    const stick = pad ? pad.axes[0] : 0;
    const used = pad !== null && (Math.abs(stick) > kDeadBand || (pad.buttons[6]?.value ?? 0) + (pad.buttons[7]?.value ?? 0) > 0.02);
    if (used) {
      held.steering = Math.abs(stick) > kDeadBand ? -stick * kLock : 0;
      held.throttle = pad.buttons[7]?.value ?? 0;
      held.brake = pad.buttons[6]?.value ?? 0;
    } else if (this.mouse && this.pointed) {
      held.steering = this.pointed.x * kLock * 0.6;
      held.throttle = clamp(this.pointed.y, 0, 1);
      held.brake = clamp(-this.pointed.y, 0, 1);
    } else {
      // the faster the car, the smaller the angle that a key asks for
      const most = kLock / (1 + (speed / kCalmSpeed) ** 2);
      const goal = (Number(pressed.left) - Number(pressed.right)) * most;
      const back = goal === 0 || Math.sign(goal) !== Math.sign(held.steering);
      held.steering = towards(held.steering, goal, (back ? kReturn : kKeyRate) * seconds);
      // who wants to go from a standstill, or from a neutral that nobody has chosen here, wants the first gear
      if (pressed.go && held.gear === 0 && speed < (this.shifted ? kStands : kFirstGear)) held.gear = 1;
      held.throttle = towards(held.throttle, Number(pressed.go), kPedalRate * seconds);
      held.brake = pressed.halt ? 1 : towards(held.brake, Number(pressed.stop), kPedalRate * seconds);
    }
    held.steering = clamp(held.steering, -kLock, kLock);
    return held;
  }
}
