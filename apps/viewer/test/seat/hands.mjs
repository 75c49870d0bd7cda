// Who drives, and what hands do.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { kPatience } from '../garage.mjs';

export const tests = ({ with_car, sit, rolling }) => ({
  async 'keys steer the car'() {
    await with_car(async ({ url }) => {
      const page = await sit(url);
      await page.until_role('driver');
      await page.keyboard.press('KeyR');
      await page.keyboard.down('KeyW');
      await page.until_speed(5.5);
      assert.ok(Math.abs(await page.output('chassis.wz')) < 0.01, 'straight on without steering');
      for (const [key, sign] of [['ArrowLeft', 1], ['KeyD', -1]]) {
        await page.keyboard.down(key);
        // the wheel follows the key, the car the wheel
        await page.waitForFunction((side) => side * window.seat.output('steering.value') > 0.3, sign, kPatience);
        await page.waitForFunction((side) => side * window.seat.output('chassis.wz') > 0.1, sign, kPatience);
        await page.keyboard.up(key);
      }
      // the throttle has put in a gear; a neutral by hand stays
      assert.equal(await page.output('gear.value'), 1, 'the gear');
      await page.keyboard.press('KeyQ');
      await page.waitForFunction(() => window.seat.output('gear.value') === 0, null, kPatience);
      await page.pass(0.5);
      assert.equal(await page.output('gear.value'), 0, 'neutral stays');
      await page.leave();
    }, rolling(5));
  },

  async 'a second page watches the same car, and drives when the first has gone'() {
    await with_car(async ({ url }) => {
      const first = await sit(url);
      const second = await sit(url, true);
      await second.until_role('watcher');
      await second.until_state('someone else drives');
      // what a watcher does is not heard
      await first.keyboard.down('KeyW');
      await first.until_speed(3);
      await second.evaluate(() => (window.begin = window.seat.time()));
      await second.keyboard.press('KeyR');
      await second.keyboard.press('KeyP');
      await second.waitForFunction(() => {
        window.back ||= window.seat.time() < window.begin;
        return window.seat.time() > window.begin + 0.5;
      }, null, kPatience);
      assert.ok(!await second.evaluate(() => window.back), 'no way back to the start');
      await first.pause();
      await second.until_time(await first.time());
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

  async 'a car whose driver falls silent brakes'() {
    await with_car(async ({ url }) => {
      let driver = await sit(url, true);
      const watcher = await sit(url, true);
      await driver.keyboard.down('KeyW');
      await driver.until_speed(6);
      // a page that hangs: its script is stopped by a debugger
      const debug = await driver.context().newCDPSession(driver);
      await debug.send('Debugger.enable');
      await debug.send('Debugger.pause');
      await watcher.waitForFunction(() => window.seat.output('brake.value') > 0.9 && window.seat.output('throttle.value') < 0.1, null, kPatience);
      await watcher.until_slow(0.1);
      await debug.send('Debugger.disable');
      // and goes on when it is heard again
      await driver.until_speed(1);
      await watcher.leave();
      // a page that is gone; one who coasted would go on for many seconds: a machine that skips periods is given more of them
      for (let wait = 2000, seconds = 0; seconds < 2; wait *= 2) {
        await driver.keyboard.press('KeyR');
        await driver.keyboard.down('KeyW');
        await driver.until_speed(5.5);
        const left = await driver.time();
        await driver.leave();
        await new Promise((done) => setTimeout(done, wait));
        driver = await sit(url, true);
        seconds = await driver.time() - left;
        const speed = await driver.speed();
        if (seconds >= 2) assert.ok(speed < 1, `the car goes at ${speed} m/s when the next page opens, ${seconds} s later`);
        assert.ok(wait < 60000, `${seconds} s of the model passed in ${wait} ms`);
      }
      await driver.leave();
    }, rolling(5));
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
      await page.until_time(0);
      // the quaternion of the page's data is made one of length 1
      (await page.pose()).forEach((x, k) => assert.ok(Math.abs(x - at_start[k]) < 1e-6, `number ${k} of the pose: ${x}, at the start ${at_start[k]}`));
      assert.ok((await page.speed()) < 1e-6, 'it stands');
      await page.leave();
    });
  },

  async 'slow motion slows the time of the model'() {
    await with_car(async ({ url }) => {
      const page = await sit(url, true);
      // neighbours may take the processor for a while: until it is well once
      const now = () => page.evaluate(() => [performance.now() / 1000, window.seat.time()]);
      const pace = async (seconds) => {
        const [wall, model] = await now();
        await page.waitForTimeout(1000 * seconds);
        const [wall_end, model_end] = await now();
        return (model_end - model) / (wall_end - wall);
      };
      // a machine that does not keep up skips periods: at full speed it shows how many
      const kept = Math.min(1, await pace(1));
      await page.getByLabel('speed of time').selectOption('0.2');
      await page.pass(0.1);
      let ratio = NaN;
      const fits = () => ratio > 0.8 * 0.2 * kept && ratio < 1.2 * 0.2;
      for (let k = 0; k < 10 && !fits(); ++k) ratio = await pace(2 + k);
      assert.ok(fits(), `${ratio} s of the model in a second, expected 0.2 within 20 % where full speed keeps ${kept}`);
      await page.leave();
    });
  },
});
