// The seat in a real browser: semirec drive and its page.
//   node test/seat.mjs SEMIREC [WORK [CHROMIUM [NAME]]]     WORK: the folder with node_modules; drives are written to WORK/drives
//                                                         NAME: the one test to run
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launcher, run_tests } from './launch.mjs';

const [semirec, work = '.', program, only] = process.argv.slice(2);
const launch = launcher(work, program);
const kCar = fileURLToPath(new URL('../../../vehicles/models/sedan.xml', import.meta.url));
const kTrack = fileURLToPath(new URL('../../../vehicles/scenarios/handling_track.xml', import.meta.url));
const drives = resolve(work, 'drives');
mkdirSync(drives, { recursive: true });
let browser = await launch();
const kPatience = { timeout: 60000 };

/** Starts the program with the sedan, the scenario that is among the options, or both files; `over()` ends it, which must be in order. */
async function start(...options) {
  const files = options.filter((one) => one.endsWith('.xml'));
  if (files.length < 2) files.unshift(kCar);
  const child = spawn(semirec, ['drive', ...files, '--priority', '0', '--port', '0', ...options.filter((one) => !one.endsWith('.xml'))], { stdio: ['ignore', 'pipe', 'pipe'] });
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

/** A page of its own process; what it says to the console or asks of others is a fault, looked at when it is closed. */
async function sit(url) {
  const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
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
  await page.goto(url);
  await page.waitForFunction(() => window.seat?.moments() > 0, null, kPatience);
  page.leave = async () => {
    assert.deepEqual(said, [], 'what the page said, or asked of others');
    await context.close();
  };
  page.role = () => page.evaluate(() => window.seat.role());
  page.time = () => page.evaluate(() => window.seat.time());
  page.output = (name) => page.evaluate((of) => window.seat.output(of), name);
  page.pose = () => page.evaluate(() => window.seat.pose(1));
  page.speed = () => page.evaluate(() => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')));
  page.until_speed = (least) => page.waitForFunction((v) => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')) > v, least, kPatience);
  page.until_state = (text) => page.waitForFunction((state) => document.querySelector('.seat-state').textContent === state, text, kPatience);
  page.until_role = (role) => page.waitForFunction((wanted) => window.seat.role() === wanted, role, kPatience);
  /** Time of the model, s. */
  page.pass = async (seconds) => page.waitForFunction((t) => window.seat.time() > t, (await page.time()) + seconds, kPatience);
  /** Pauses, and waits until nothing moves any more. */
  page.pause = async () => {
    await page.keyboard.press('KeyP');
    await page.until_state('paused');
  };
  return page;
}

/** Rows of a table by the names of their columns. */
function table(file) {
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((number, k) => [head[k], Number(number)])));
}

async function with_car(act, ...options) {
  const car = await start(...options);
  try {
    await act(car);
    await car.over();
  } finally {
    car.kill();
  }
}

const tests = {
  async 'keys steer the car'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      assert.equal(await page.role(), 'driver');
      await page.keyboard.down('KeyW');
      await page.until_speed(5);
      assert.ok(Math.abs(await page.output('chassis.wz')) < 0.01, 'straight on without steering');
      for (const [key, sign] of [['ArrowLeft', 1], ['KeyD', -1]]) {
        await page.keyboard.down(key);
        await page.pass(1.5);
        const steering = await page.output('steering.value');
        const yaw_rate = await page.output('chassis.wz');
        assert.ok(sign * steering > 0.3, `${key}: steering wheel at ${steering} rad`);
        assert.ok(sign * yaw_rate > 0.1, `${key}: yaw rate ${yaw_rate} rad/s`);
        await page.keyboard.up(key);
      }
      await page.leave();
    });
  },

  async 'a second page watches the same car, and drives when the first has gone'() {
    await with_car(async ({ url }) => {
      const first = await sit(url);
      await first.keyboard.down('KeyW');
      await first.until_speed(3);
      const second = await sit(url);
      assert.equal(await second.role(), 'watcher');
      await second.until_state('someone else drives');
      // what a watcher does is not heard
      await second.keyboard.press('KeyR');
      await second.keyboard.press('KeyP');
      await second.pass(0.5);
      assert.ok((await second.speed()) > 3);
      await first.pause();
      const time = await first.time();
      await second.waitForFunction((t) => window.seat.time() === t, time, kPatience);
      assert.deepEqual(await second.pose(), await first.pose());
      assert.ok((await first.pose())[0] > 1, 'it has gone somewhere');
      await first.leave();
      await second.until_role('driver');
      await second.keyboard.press('KeyP');
      await second.pass(0.2);
      await second.leave();
    });
  },

  async 'a page without the token is refused'() {
    await with_car(async ({ url }) => {
      const status = (of) => new Promise((done, fail) => get(of, (answer) => done(answer.resume().statusCode)).on('error', fail));
      assert.equal(await status(url), 200);
      assert.equal(await status(url.replace(/token=.*/, `token=${'0'.repeat(32)}`)), 403);
      assert.equal(await status(url.replace(/\?.*/, '')), 403);
    });
  },

  async 'a drive that was saved is driven again without a page, twice alike, and ends where the page was'() {
    const out = mkdtempSync(join(drives, 'saved_'));
    await with_car(async ({ url }) => {
      const page = await sit(url);
      await page.keyboard.down('KeyW');
      await page.until_speed(4);
      await page.keyboard.down('ArrowLeft');
      await page.pass(1);
      await page.keyboard.up('ArrowLeft');
      await page.keyboard.up('KeyW');
      await page.keyboard.down('KeyS');
      await page.pass(0.3);
      await page.pause();
      await page.getByRole('button', { name: 'save' }).click();
      await page.waitForFunction(() => window.seat.notices().some((text) => text.startsWith('saved ')), null, kPatience);
      const time = await page.time();
      for (const folder of ['once', 'twice']) execFileSync(semirec, ['drive', kCar, join(out, 'drive_1.xml'), '--headless', '--out', join(out, folder)]);
      assert.ok(readFileSync(join(out, 'once/results.csv')).equals(readFileSync(join(out, 'twice/results.csv'))), 'both tables alike');
      const end = table(join(out, 'once/results.csv')).at(-1);
      const first_name = Object.keys(end)[0];
      assert.equal(Math.fround(end[first_name]), time, 'the time at the end');
      for (const channel of ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'vx', 'vy'].map((part) => `chassis.${part}`)) {
        const shown = await page.output(channel);
        // the page has 24 bits, the table 12 digits
        assert.ok(Math.abs(shown - end[channel]) <= 2 ** -24 * Math.abs(end[channel]) + 1e-11, `${channel}: ${shown} on the page, ${end[channel]} in the table`);
      }
      assert.ok(Math.abs(end['chassis.yaw']) > 0.05, 'it has turned');
      await page.leave();
    }, '--out', out);
  },

  async 'a slider makes another car on the way, which drives again without a page'() {
    const out = mkdtempSync(join(drives, 'changed_'));
    await with_car(async ({ url }) => {
      const page = await sit(url);
      const watcher = await sit(url);
      const notice = (start, count) => page.waitForFunction(([text, most]) => window.seat.notices().filter((one) => one.startsWith(text)).length >= most, [start, count], kPatience);
      await page.locator('#set-up summary').click();
      /** As a hand does: moved, then let go. */
      const slide = (label, step) => page.getByLabel(label, { exact: true }).evaluate((input, to) => {
        input.value = String(to);
        input.dispatchEvent(new Event('input', { bubbles: true }));
        input.dispatchEvent(new Event('change', { bubbles: true }));
      }, step);
      // before it drives: the drive begins with it, and the front stands higher on stiffer springs
      await page.pause();
      await page.keyboard.press('KeyR');
      await page.waitForFunction(() => window.seat.time() === 0, null, kPatience);
      const low = await page.output('chassis.z');
      await slide('spring spring_fl, spring_fr', 10);
      await notice('changed at 0.000 s', 1);
      await page.waitForFunction((z) => window.seat.output('chassis.z') > z + 0.005, low, kPatience);
      await watcher.waitForFunction(() => document.querySelector('#set-up [aria-label="spring spring_fl, spring_fr"]').value === '10', null, kPatience);
      await page.keyboard.press('KeyP');
      await page.keyboard.down('KeyW');
      await page.until_speed(4);
      await slide('friction wheel_fl, wheel_fr', -20);
      await notice('changed at', 2);
      await page.keyboard.down('ArrowLeft');
      await page.pass(1);
      await page.pause();
      await page.getByRole('button', { name: 'save' }).click();
      await notice('saved ', 1);
      const text = readFileSync(join(out, 'drive_1.xml'), 'utf8');
      assert.match(text, /<event name="set_up" time="0">\s*<set element="spring_fl" attribute="spring_scale" value="2"/);
      assert.match(text, /<set element="wheel_fr" attribute="friction_scale" value="0.25"/);
      execFileSync(semirec, ['drive', kCar, join(out, 'drive_1.xml'), '--headless', '--out', join(out, 'again')]);
      const end = table(join(out, 'again/results.csv')).at(-1);
      for (const channel of ['x', 'y', 'z', 'roll', 'pitch', 'yaw', 'vx', 'vy'].map((part) => `chassis.${part}`)) {
        const shown = await page.output(channel);
        // the page has 24 bits, the table 12 digits
        assert.ok(Math.abs(shown - end[channel]) <= 2 ** -24 * Math.abs(end[channel]) + 1e-11, `${channel}: ${shown} on the page, ${end[channel]} in the table`);
      }
      await watcher.leave();
      await page.leave();
    }, '--out', out);
  },

  async 'a step that fails is told with its time and closure, and the drive goes on from the start'() {
    // a rod ahead that an event is to close: the car is metres away by then, whoever drives it
    const folder = mkdtempSync(join(drives, 'failing_'));
    const vehicle = join(folder, 'car.xml');
    const rod = '<rod name="hook" a="ground" b="chassis" point_a="-5 0 0.56" point_b="0 0 0.56" attached="no"/>';
    writeFileSync(vehicle, readFileSync(kCar, 'utf8').replaceAll('file="', `file="${dirname(kCar)}/`).replace('</vehicle>', `${rod}</vehicle>`));
    const scenario = join(folder, 'catch.xml');
    writeFileSync(scenario, '<scenario name="catch" version="1"><run step="0.001" until="60"/><start from="equilibrium" speed="5"/><event name="catch" time="2"><attach closure="hook"/></event></scenario>');
    await with_car(async ({ url }) => {
      const page = await sit(url);
      await page.keyboard.down('KeyW');
      await page.until_state('the step failed: start again');
      await page.waitForFunction(() => window.seat.notices().length > 0, null, kPatience);
      const said = (await page.evaluate(() => window.seat.notices()))[0];
      const [, time, gap] = said.match(/^the step after t = ([\d.]+) s failed: .*; worst closure error ([\d.e+-]+) m/) ?? [];
      assert.equal(Number(time), 1.999, said);
      assert.ok(Number(gap) > 1, said);
      await page.keyboard.up('KeyW');
      await page.keyboard.press('KeyR');
      await page.until_state('you drive');
      await page.pass(0.5);
      await page.leave();
    }, vehicle, scenario);
  },

  async 'cones that are hit are counted, and stand again after a reset'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      assert.equal(await page.evaluate(() => window.seat.cones_hit()), 0);
      await page.keyboard.down('KeyW');
      // rolls straight on over the first cone of the slalom; under power it would pull aside where the friction is split
      await page.until_speed(8);
      await page.keyboard.up('KeyW');
      await page.waitForFunction(() => window.seat.cones_hit() > 0, null, kPatience);
      assert.ok(Math.abs((await page.pose())[0] - 110.25) < 30, `the car is at x = ${(await page.pose())[0]} m`);
      await page.keyboard.press('KeyR');
      await page.waitForFunction(() => window.seat.cones_hit() === 0, null, kPatience);
      await page.leave();
    }, kTrack);
  },

  async 'a car whose driver falls silent brakes'() {
    await with_car(async ({ url }) => {
      const driver = await sit(url);
      await driver.keyboard.down('KeyW');
      await driver.until_speed(6);
      const watcher = await sit(url);
      // a page that hangs
      const hung = driver.evaluate(() => {
        const start = performance.now();
        while (performance.now() - start < 8000);
      });
      await watcher.waitForFunction(() => window.seat.output('brake.value') > 0.9 && window.seat.output('throttle.value') < 0.1, null, { timeout: 7000 });
      await watcher.waitForFunction(() => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')) < 0.1, null, { timeout: 7000 });
      await hung;
      // and goes on when it is heard again
      await driver.until_speed(1);
      await watcher.leave();
      // a page that is gone; one who coasted would go on for many seconds
      await driver.until_speed(6);
      await driver.leave();
      await new Promise((done) => setTimeout(done, 3000));
      const next = await sit(url);
      assert.ok((await next.speed()) < 1, 'the car stands when the next page opens');
      await next.leave();
    });
  },

  async 'reset goes back to the start'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      const at_start = await page.evaluate(() => window.seat.start());
      await page.keyboard.down('KeyW');
      await page.until_speed(3);
      await page.pause();
      assert.ok(Math.abs((await page.pose())[0] - at_start[0]) > 0.5);
      await page.keyboard.press('KeyR');
      await page.waitForFunction(() => window.seat.time() === 0, null, kPatience);
      // the quaternion of the page's data is made one of length 1
      (await page.pose()).forEach((x, k) => assert.ok(Math.abs(x - at_start[k]) < 1e-6, `number ${k} of the pose: ${x}, at the start ${at_start[k]}`));
      assert.ok((await page.speed()) < 1e-6, 'it stands');
      await page.leave();
    });
  },

  async 'slow motion slows the time of the model'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      // without a picture, so that what comes is shown at once; neighbours may take the processor for a while: the best of some readings
      await page.evaluate(() => (document.querySelector('.view').style.display = 'none'));
      const now = () => page.evaluate(() => [performance.now() / 1000, window.seat.time()]);
      const pace = async (seconds) => {
        const [wall, model] = await now();
        await page.waitForTimeout(1000 * seconds);
        const [wall_end, model_end] = await now();
        return (model_end - model) / (wall_end - wall);
      };
      // a machine that does not keep up skips periods: at full speed it shows how many
      const kept = Math.min(1, await pace(2));
      await page.getByLabel('speed of time').selectOption('0.2');
      await page.pass(0.1);
      let ratio = NaN;
      const fits = () => ratio > 0.8 * 0.2 * kept && ratio < 1.2 * 0.2;
      for (let k = 0; k < 5 && !fits(); ++k) ratio = await pace(4);
      assert.ok(fits(), `${ratio} s of the model in a second, expected 0.2 within 20 % where full speed keeps ${kept}`);
      await page.leave();
    });
  },
};

const failed = await run_tests(tests, only, async () => {
  await browser.close();
  browser = await launch();
});
await browser.close();
process.exit(failed ? 1 : 0);
