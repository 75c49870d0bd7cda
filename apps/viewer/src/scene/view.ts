// The 3-D view: a canvas, its renderer, and the loop that draws only when something has moved.
import { Raycaster, Vector2, WebGLRenderer } from 'three';
import { CameraRig } from './cameras';
import type { Place } from './cameras';
import { element_at } from './car';
import type { Found } from './car';
import { FrameCounter, QualityKeeper } from './quality';
import type { Stage } from './stage';

export interface Surface { canvas: HTMLCanvasElement; context: WebGL2RenderingContext }

/** A canvas to draw on, null where there is no WebGL: asked without a renderer, whose failure would be written to the console. */
export function open_surface(antialias = true): Surface | null {
  try {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('webgl2', { alpha: true, depth: true, stencil: false, antialias, powerPreference: 'high-performance' });
    return context ? { canvas, context } : null;
  } catch {
    return null;
  }
}

export class View {
  readonly rig: CameraRig;
  readonly quality = new QualityKeeper();
  readonly counter = new FrameCounter();
  canvas!: HTMLCanvasElement;
  /** Called before each frame with the seconds since the last one; true while there is more to come. */
  advance: (seconds: number) => boolean = () => false;
  /** Called when the camera has taken another place. */
  taken: (place: Place) => void = () => {};
  private renderer!: WebGLRenderer;
  private asked = 0;
  private sized = false;
  private before = 0;

  constructor(readonly holder: HTMLElement, readonly stage: Stage, surface: Surface) {
    this.rig = new CameraRig(stage.seats);
    this.take_surface(surface);
    holder.append(this.canvas);
    this.rig.take('orbit', stage.poses);
    // the shaders are made while the rest of the page is put together; the first frame is drawn after that
    this.renderer.compile(stage.scene, this.rig.camera);
    new ResizeObserver(() => this.resize()).observe(holder);
  }

  private take_surface({ canvas, context }: Surface): void {
    this.renderer = new WebGLRenderer({ canvas, context });
    this.canvas = canvas;
    this.canvas.setAttribute('aria-label', 'the car in 3-D');
    this.rig.listen(this.canvas, () => this.invalidate());
  }

  /** A renderer of the quality of now: antialiasing belongs to the canvas, so that it takes a new one. */
  private renew(): void {
    const surface = open_surface(this.quality.now.antialias);
    if (!surface) return;
    const old = this.canvas;
    this.renderer.dispose();
    this.take_surface(surface);
    old.replaceWith(this.canvas);
    // gives its memory back at once
    old.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    this.resize();
  }

  private resize(): void {
    const width = Math.max(this.holder.clientWidth, 1);
    const height = Math.max(this.holder.clientHeight, 1);
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.now.ratio));
    this.renderer.setSize(width, height);
    this.sized = true;
    this.rig.camera.aspect = width / height;
    // a narrow view sees as much across
    this.rig.camera.fov = width < height ? 55 : 40;
    this.rig.camera.updateProjectionMatrix();
    this.draw();
  }

  take(place: Place): void {
    this.stage.inside = place === 'driver';
    this.stage.apply();
    this.rig.take(place, this.stage.poses);
    this.taken(place);
    this.invalidate();
  }

  /** Draws at the next frame. */
  invalidate(): void {
    if (!this.asked) this.asked = requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.asked = 0;
    const seconds = this.before ? Math.min((now - this.before) / 1000, 0.25) : 0;
    const more = this.advance(seconds);
    this.draw();
    if (more) {
      this.counter.frame(now);
      const antialias = this.quality.now.antialias;
      if (this.before && this.quality.frame((now - this.before) / 1000)) {
        if (this.quality.now.antialias !== antialias) this.renew();
        else this.resize();
      }
      this.before = now;
      this.invalidate();
    } else {
      this.before = 0;
      this.counter.restart();
    }
  }

  /** Not before the page has said how large: then it is drawn anyway. */
  draw(): void {
    if (!this.sized) return;
    this.rig.update(this.stage.poses);
    this.renderer.render(this.stage.scene, this.rig.camera);
  }

  /** The picture of now, for the printer. */
  picture(): string {
    if (this.sized) this.draw();
    else this.resize();
    return this.canvas.toDataURL('image/png');
  }

  /** The element under a point of the page. */
  element_under(x: number, y: number): Found | null {
    const box = this.canvas.getBoundingClientRect();
    const caster = new Raycaster();
    caster.params.Line.threshold = 0.01;
    caster.setFromCamera(new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height), this.rig.camera);
    for (const hit of caster.intersectObject(this.stage.cars[0].group, true)) {
      if (hit.object.userData.mark) continue;
      const found = element_at(hit.object, hit.face ? hit.face.a : hit.index ?? 0);
      if (found?.of) return found;
    }
    return null;
  }
}
