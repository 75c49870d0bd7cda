// What the tests of pages stand on: a browser, pages opened in it from results, and looks at their pictures.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launcher } from './launch.mjs';
import { json_text, page_of } from './page.mjs';

const kWindow = { width: 1280, height: 720 };
export const kPatience = { timeout: 120000 };  // ms: waiting is no fault
export const kSingle = 1e-5;  // m: poses are 32-bit, whose last place is 4e-6 at 60 m

export const close_to = (actual, expected, tolerance, what) => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected} within ${tolerance}`);
};

/** Runs in the page: the pixels of PNG pictures. */
function decode_pictures() {
  window.pixels = async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
}

/** `bundle`: the folder with page.js and page.css; `work`: the folder with node_modules, pages are written to WORK/pages. */
export class Desk {
  constructor(bundle, work, program) {
    this.bundle = bundle;
    this.launch = launcher(work, program);
    this.pages = resolve(work, 'pages');
    mkdirSync(this.pages, { recursive: true });
  }

  async start() {
    this.browser = await this.launch();
    this.idle = new Map();  // pages that others have left, by their options
    this.helper = null;
  }

  async restart() {
    await this.browser.close();
    await this.start();
  }

  /** Opens the page of a text of results; what it says to the console or asks for is a fault, looked at when it is closed. */
  open = async (name, text, options = {}) => {
    const file = join(this.pages, `${name}.html`);
    writeFileSync(file, options.html ?? page_of(text, this.bundle, name));
    const url = pathToFileURL(file).href;
    const kind = options.browser ? null : JSON.stringify(options.page ?? {});
    // a new page is a new process, so that one that is there is taken again
    const page = this.idle.get(kind) ?? await (options.browser ?? this.browser).newPage({ viewport: kWindow, ...options.page });
    this.idle.delete(kind);
    const said = [];
    const heard = {
      console: (message) => said.push(`${message.type()}: ${message.text()}`),
      pageerror: (error) => said.push(`error: ${error.stack}`),
      request: (request) => {
        if (!request.url().startsWith('data:') && request.url() !== url) said.push(`request: ${request.url()}`);
      },
    };
    for (const [event, hear] of Object.entries(heard)) page.on(event, hear);
    await page.goto(url, kPatience);
    await page.waitForFunction(() => window.semirec?.ready, null, kPatience);
    page.leave = async () => {
      for (const [event, hear] of Object.entries(heard)) page.off(event, hear);
      assert.deepEqual(said, [], `what the page of ${name} said or asked for`);
      if (kind === null) return page.close();
      await page.goto('about:blank');
      this.idle.set(kind, page);
    };
    return page;
  };

  opened = (name, shown, options) => this.open(name, json_text(shown), options);

  /** The view, once it is drawn. */
  picture = async (page) => {
    // two frames: one to draw, one to be seen
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return page.locator('.view canvas').screenshot();
  };

  async eye() {
    if (!this.helper) {
      this.helper = await this.browser.newPage();
      await this.helper.evaluate(decode_pictures);
    }
    return this.helper;
  }

  /** How many colours a picture has, and the share of its pixels that differ from the most frequent colour. */
  look = async (png) => (await this.eye()).evaluate(async (base64) => {
    const pixels = new Uint32Array((await window.pixels(base64)).buffer);
    const counts = new Map();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return { colours: counts.size, share: 1 - Math.max(...counts.values()) / pixels.length };
  }, png.toString('base64'));

  /** The share of the pixels in which two pictures of one size differ by more than a shade. */
  different = async (one, other) => (await this.eye()).evaluate(async (pictures) => {
    const [a, b] = await Promise.all(pictures.map(window.pixels));
    let count = 0;
    for (let k = 0; k < a.length; k += 4) {
      if (Math.max(Math.abs(a[k] - b[k]), Math.abs(a[k + 1] - b[k + 1]), Math.abs(a[k + 2] - b[k + 2])) > 8) ++count;
    }
    return (4 * count) / a.length;
  }, [one, other].map((png) => png.toString('base64')));
}
