// What a driver looks at: speed, gear, engine, accelerations, loads of the wheels.
import { make, name_of } from '../dom';
import type { Dash, Hello, Moment } from './connection';

const kMostG = 1.2;
const kG = 9.80665;  // m/s^2
const kSvg = 'http://www.w3.org/2000/svg';

function svg(tag: string, attributes: Record<string, string>, ...children: SVGElement[]): SVGElement {
  const element = document.createElementNS(kSvg, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class DashBoard {
  readonly element = make('div', { class: 'dash' });
  private readonly numbers = make('div', { class: 'dash-group' });
  private readonly shown = new Map<string, HTMLElement>();
  private readonly dot = svg('circle', { r: '0.07', class: 'dot' });
  private readonly bars: { bar: HTMLElement; text: HTMLElement; channel: number }[] = [];
  private readonly pedals = new Map<'throttle' | 'brake', HTMLElement>();
  private readonly dash: Dash;
  private readonly inputs: Hello['inputs'];
  /** the largest load of a wheel seen so far, N */
  private most = 1;

  constructor(hello: Hello, cones: boolean) {
    this.dash = hello.dash;
    this.inputs = hello.inputs;
    this.element.append(this.numbers);
    this.add('speed', 'speed', 'km/h');
    if (this.dash.gear !== undefined) this.add('gear', 'gear', '');
    if (this.dash.motor_speed !== undefined) this.add('motor', 'engine', 'rpm');
    this.add('steering', 'steering', '°', 'angle of the steering wheel, to the left');
    this.add('time', 'time', 's');
    if (cones) this.add('cones', 'cones', '', 'cones that were hit');
    if (this.dash.ax !== undefined && this.dash.ay !== undefined && this.dash.yaw !== undefined) this.add_circle();
    if (this.dash.loads.length) this.element.append(make('div', { class: 'dash-gauges', title: 'vertical forces of the tyres' }, ...this.dash.loads.map((load) => this.load(load.name, load.channel))));
    const pedals = (['throttle', 'brake'] as const).filter((pedal) => hello.controls[pedal]);
    if (pedals.length) this.element.append(make('div', { class: 'dash-gauges one' }, ...pedals.map((pedal) => this.pedal(pedal))));
  }

  private add(key: string, label: string, unit: string, title = ''): void {
    const value = make('output', { class: 'dash-value' });
    this.shown.set(key, value);
    this.numbers.append(make('div', { class: 'dash-item', title: title || undefined }, make('span', { class: 'dash-label' }, unit ? `${label}, ${unit}` : label), value));
  }

  private add_circle(): void {
    const ring = (r: number): SVGElement => svg('circle', { r: String(r), class: 'ring' });
    const name = (x: number, y: number, text: string): SVGElement => {
      const element = svg('text', { x: String(x), y: String(y), class: 'ring-name' });
      element.textContent = text;
      return element;
    };
    const picture = svg('svg', { viewBox: `${-kMostG} ${-kMostG} ${2 * kMostG} ${2 * kMostG}`, class: 'gg', role: 'img', 'aria-label': 'accelerations; rings at 0.5 and 1 g' },
      ring(0.5), ring(1), svg('path', { d: `M${-kMostG} 0H${kMostG}M0 ${-kMostG}V${kMostG}`, class: 'ring' }), name(0.4, -0.42, '0.5'), name(0.74, -0.78, '1 g'), this.dot);
    this.element.append(make('div', { class: 'dash-item', title: 'accelerations: forward is up; rings at 0.5 and 1 g' }, picture as unknown as HTMLElement));
  }

  private load(name: string, channel: number): HTMLElement {
    const bar = make('div', { class: 'gauge-fill' });
    const text = make('output', { class: 'gauge-text' });
    const label = name_of(name);
    label.classList.add('dash-label');
    this.bars.push({ bar, text, channel });
    return make('div', { class: 'dash-item' }, label, make('div', { class: 'gauge' }, bar, text));
  }

  private pedal(pedal: 'throttle' | 'brake'): HTMLElement {
    const bar = make('div', { class: `gauge-fill ${pedal}` });
    this.pedals.set(pedal, bar);
    return make('div', { class: 'dash-item' }, make('span', { class: 'dash-label' }, pedal), make('div', { class: 'gauge' }, bar));
  }

  private put(key: string, text: string): void {
    const element = this.shown.get(key);
    if (element && element.textContent !== text) element.textContent = text;
  }

  /** m/s, along the way. */
  speed(moment: Moment): number {
    const { vx, vy } = this.dash;
    return vx === undefined || vy === undefined ? 0 : Math.hypot(moment.outputs[vx], moment.outputs[vy]);
  }

  show(moment: Moment): void {
    const { dash } = this;
    const at = (channel: number | undefined): number => (channel === undefined ? 0 : moment.outputs[channel]);
    this.put('speed', (3.6 * this.speed(moment)).toFixed(0));
    this.put('gear', at(dash.gear).toFixed(0));
    this.put('motor', ((30 / Math.PI) * at(dash.motor_speed)).toFixed(0));
    this.put('steering', ((180 / Math.PI) * (at(dash.steering) / (dash.steering_ratio || 1))).toFixed(0));
    this.put('time', moment.t.toFixed(1));
    this.put('cones', moment.hit.reduce((sum, one) => sum + one, 0).toFixed(0));
    const yaw = at(dash.yaw);
    const along = (at(dash.ax) * Math.cos(yaw) + at(dash.ay) * Math.sin(yaw)) / kG;
    const left = (at(dash.ay) * Math.cos(yaw) - at(dash.ax) * Math.sin(yaw)) / kG;
    // to the left and forward as the driver sees it
    this.dot.setAttribute('cx', String(-left));
    this.dot.setAttribute('cy', String(-along));
    for (const { channel } of this.bars) this.most = Math.max(this.most, moment.outputs[channel]);
    for (const { bar, text, channel } of this.bars) {
      bar.style.width = `${(100 * Math.max(moment.outputs[channel], 0)) / this.most}%`;
      text.textContent = `${moment.outputs[channel].toFixed(0)} N`;
    }
    for (const [pedal, bar] of this.pedals) bar.style.width = `${100 * Math.min(Math.max(at(this.inputs[pedal]), 0), 1)}%`;
  }
}
