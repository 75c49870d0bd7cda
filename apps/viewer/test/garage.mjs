// What the tests of the seat stand on: cars that are driven, and a browser whose pages sit in them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launcher } from './launch.mjs';

export const kCar = fileURLToPath(new URL('../../../vehicles/models/sedan.xml', import.meta.url));
export const kTrack = fileURLToPath(new URL('../../../vehicles/scenarios/handling_track.xml', import.meta.url));
export const kPatience = { timeout: 120000 };  // ms: waiting is no fault

/** Rows of a table by the names of their columns. */
export function table(file) {
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((number, k) => [head[k], Number(number)])));
}

/** `work`: the folder with node_modules, drives are written to WORK/drives. */
export class Garage {
  constructor(semirec, work, program) {
    this.semirec = semirec;
    this.launch = launcher(work, program);
    this.drives = resolve(work, 'drives');
    mkdirSync(this.drives, { recursive: true });
  }

  async open() {
    this.browsers = [await this.launch(), await this.launch(['--disable-3d-apis'])];
  }

  async close() {
    for (const browser of this.browsers) await browser.close();
  }

  async reopen() {
    await this.close();
    await this.open();
  }

  /** The file of a scenario on a level road that begins at `speed`, m/s, so that no test waits for it. */
  rolling = (speed, more = '') => {
    const file = join(this.drives, `rolling_${process.pid}.xml`);
    writeFileSync(file, `<scenario name="rolling" version="1"><run step="0.001" until="600"/><start from="equilibrium" speed="${speed}"/>${more}</scenario>`);
    return file;
  };

  /** Starts the program with the sedan, the scenario that is among the options, or both files; `over()` ends it, which must be in order. */
  async start(...options) {
    const files = options.filter((one) => one.endsWith('.xml'));
    if (files.length < 2) files.unshift(kCar);
    const further = options.filter((one) => !one.endsWith('.xml'));
    const child = spawn(this.semirec, ['drive', ...files, '--priority', '0', '--port', '0', ...further], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    let said = '';
    let wrong = '';
    child.stderr.on('data', (data) => (wrong += data));
    const url = await new Promise((done, fail) => {
      child.stdout.on('data', (data) => {
        said += data;
        const found = said.match(/http:\S+/);
        if (found) done(found[0]);
      });
      ended.then(() => fail(new Error(`semirec drive ended: ${said}${wrong}`)));
    });
    const over = async () => {
      child.kill('SIGINT');
      assert.deepEqual(await ended, [0, null], wrong);
    };
    return { url, over, kill: () => child.kill('SIGKILL') };
  }

  with_car = async (act, ...options) => {
    const car = await this.start(...options);
    try {
      await act(car);
      await car.over();
    } finally {
      car.kill();
    }
  };

  /**
   * A page of its own process; what it says to the console or asks of others is a fault, looked at when it is closed. Where the car
   * need not be drawn (50 times a second, by the processors that step it) the page is `blind`.
   */
  sit = async (url, blind = false) => {
    const context = await this.browsers[blind ? 1 : 0].newContext({ viewport: { width: 640, height: 480 } });
    const page = await context.newPage();
    const { host } = new URL(url);
    const said = [];
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.stack}`));
    for (const kind of ['request', 'websocket']) {
      page.on(kind, (asked) => {
        if (!asked.url().startsWith('data:') && new URL(asked.url()).host !== host) said.push(`${kind}: ${asked.url()}`);
      });
    }
    await page.goto(url, kPatience);
    const hold = (test, of) => page.waitForFunction(test, of, kPatience);
    await hold(() => window.seat?.moments() > 0);
    page.leave = async () => {
      assert.deepEqual(said, [], 'what the page said, or asked of others');
      await context.close();
    };
    page.role = () => page.evaluate(() => window.seat.role());
    page.time = () => page.evaluate(() => window.seat.time());
    page.output = (name) => page.evaluate((of) => window.seat.output(of), name);
    page.pose = () => page.evaluate(() => window.seat.pose(1));
    page.speed = () => page.evaluate(() => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')));
    page.until_speed = (least) => hold((v) => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')) > v, least);
    page.until_slow = (most) => hold((v) => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')) < v, most);
    page.until_state = (text) => hold((state) => document.querySelector('.seat-state').textContent === state, text);
    page.until_role = (role) => hold((wanted) => window.seat.role() === wanted, role);
    page.until_time = (time) => hold((t) => window.seat.time() === t, time);
    /** So many notices that begin with `start`. */
    page.until_notices = (start, count = 1) => hold(([text, most]) => window.seat.notices().filter((one) => one.startsWith(text)).length >= most, [start, count]);
    /** Time of the model, s. */
    page.pass = async (seconds) => hold((t) => window.seat.time() > t, (await page.time()) + seconds);
    /** Pauses, and waits until nothing moves any more. */
    page.pause = async () => {
      await page.keyboard.press('KeyP');
      await page.until_state('paused');
    };
    return page;
  };
}
