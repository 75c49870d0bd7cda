// What becomes of a drive: saved, changed on the way, failed, counted.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kCar, kPatience, kTrack, table } from '../garage.mjs';

export const tests = ({ with_car, sit, rolling, semirec, drives }) => ({
  async 'a drive that was saved is driven again without a page, twice alike, and ends where the page was'() {
    const out = mkdtempSync(join(drives, 'saved_'));
    await with_car(async ({ url }) => {
      const page = await sit(url, true);
      await page.keyboard.press('KeyR');
      await page.keyboard.down('KeyW');
      await page.until_speed(5.2);
      await page.keyboard.down('ArrowLeft');
      await page.waitForFunction(() => window.seat.output('chassis.yaw') > 0.06, null, kPatience);
      await page.keyboard.up('ArrowLeft');
      await page.keyboard.up('KeyW');
      await page.keyboard.down('KeyS');
      await page.pass(0.3);
      await page.pause();
      await page.getByRole('button', { name: 'save' }).click();
      await page.until_notices('saved ');
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
    }, rolling(5), '--out', out);
  },

  async 'a slider makes another car on the way, which drives again without a page'() {
    const out = mkdtempSync(join(drives, 'changed_'));
    await with_car(async ({ url }) => {
      const page = await sit(url);
      const watcher = await sit(url, true);
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
      await page.until_time(0);
      const low = await page.output('chassis.z');
      await slide('spring spring_fl, spring_fr', 10);
      await page.until_notices('changed at 0.000 s', 1);
      await page.waitForFunction((z) => window.seat.output('chassis.z') > z + 0.005, low, kPatience);
      await watcher.waitForFunction(() => document.querySelector('#set-up [aria-label="spring spring_fl, spring_fr"]').value === '10', null, kPatience);
      await page.keyboard.press('KeyP');
      await page.keyboard.down('KeyW');
      await page.until_speed(5.1);
      await slide('friction wheel_fl, wheel_fr', -20);
      await page.until_notices('changed at', 2);
      await page.keyboard.down('ArrowLeft');
      await page.pass(0.5);
      await page.pause();
      await page.getByRole('button', { name: 'save' }).click();
      await page.until_notices('saved ', 1);
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
    }, rolling(5), '--out', out);
  },

  async 'a step that fails is told with its time and closure, and the drive goes on from the start'() {
    // a rod ahead that an event is to close: the car is metres away by then, whoever drives it
    const folder = mkdtempSync(join(drives, 'failing_'));
    const vehicle = join(folder, 'car.xml');
    const rod = '<rod name="hook" a="ground" b="chassis" point_a="-5 0 0.56" point_b="0 0 0.56" attached="no"/>';
    writeFileSync(vehicle, readFileSync(kCar, 'utf8').replaceAll('file="', `file="${dirname(kCar)}/`).replace('</vehicle>', `${rod}</vehicle>`));
    const scenario = rolling(5, '<event name="catch" time="2"><attach closure="hook"/></event>');
    await with_car(async ({ url }) => {
      const page = await sit(url, true);
      // from the start, for a page that has opened late
      await page.keyboard.press('KeyR');
      await page.keyboard.down('KeyW');
      await page.until_state('the step failed: start again');
      await page.until_notices('the step after');
      const said = (await page.evaluate(() => window.seat.notices())).find((text) => text.startsWith('the step after'));
      const [, time, gap] = said.match(/^the step after t = ([\d.]+) s failed: .*; worst closure error ([\d.e+-]+) m/) ?? [];
      assert.equal(Number(time), 1.999, said);
      assert.ok(Number(gap) > 1, said);
      await page.keyboard.up('KeyW');
      await page.keyboard.press('KeyR');
      await page.waitForFunction(() => window.seat.time() > 0 && window.seat.time() < 1.9 && document.querySelector('.seat-state').textContent === 'you drive', null, kPatience);
      await page.pass(0.2);
      await page.leave();
    }, vehicle, scenario);
  },

  async 'cones that are hit are counted, and stand again after a reset'() {
    const ahead = 12;  // m
    await with_car(async ({ url }) => {
      const page = await sit(url);
      const hit = (count) => page.waitForFunction((n) => window.seat.cones_hit() === n, count, kPatience);
      await page.keyboard.press('KeyR');
      await hit(0);
      await page.keyboard.down('KeyW');
      await hit(1);
      // the bumper is some metres ahead of the origin
      assert.ok((await page.pose())[0] > ahead - 4, `the car is at x = ${(await page.pose())[0]} m`);
      await page.keyboard.up('KeyW');
      await page.pause();
      await page.keyboard.press('KeyR');
      await hit(0);
      await page.leave();
    }, rolling(8, `<scenery><cone x="${ahead}" y="0"/><cone x="${ahead}" y="5"/></scenery>`));
  },

  async 'the handling track opens with its cones standing'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      await page.keyboard.down('KeyW');
      await page.until_speed(0.5);
      assert.equal(await page.evaluate(() => window.seat.cones_hit()), 0);
      assert.match(await page.locator('.dash').textContent(), /cones/);
      await page.leave();
    }, kTrack);
  },
});
