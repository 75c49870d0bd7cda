// The 3-D view.
import assert from 'node:assert/strict';
import { kChassis, kRadius, kSpeed, kWheel, chassis_pose, poses, report, yaw_rate } from '../car.mjs';
import { close_to, kPatience, kSingle } from '../desk.mjs';
import { kinds } from '../kinds.mjs';

export const tests = ({ opened, look, different, picture, launch }) => ({
  async 'the canvas shows a car, from each camera'() {
    const page = await opened('canvas', report());
    const seen = new Set();
    for (const place of ['orbit', 'follow', 'wheel', 'driver']) {
      await page.evaluate((where) => window.semirec.camera(where), place);
      const png = await picture(page);
      const { colours, share } = await look(png);
      // a blank canvas has one colour; the ground and the sky alone some dozens
      assert.ok(colours > 200 && share > 0.2, `${place}: ${colours} colours, ${share} of the pixels not of the most frequent one`);
      seen.add(png.toString('base64'));
    }
    assert.equal(seen.size, 4, 'four cameras, four pictures');
    await page.leave();
  },

  async 'ghosts that are where the car is do not show through it'() {
    const alike = report({ ghosts: 4 });
    alike.runs = alike.runs.map((run) => ({ ...alike.runs[0], name: run.name }));
    const page = await opened('alike', alike);
    await page.evaluate(() => window.semirec.seek(3));
    const ghosts = page.getByLabel('other runs');
    // arrows and traces are drawn over all
    for (const label of ['trace', 'forces']) await page.getByLabel(label, { exact: true }).uncheck();
    const all = await picture(page);
    await ghosts.uncheck();
    const alone = await picture(page);
    const share = await different(all, alone);
    // the wire outlines of the ghosts are lines of one pixel in their own colour
    assert.ok(share < 0.03, `${share} of the pixels differ with and without ghosts`);
    await page.leave();
  },

  async 'forces of joints are drawn where they are asked for'() {
    const page = await opened('joint_forces', report({}));
    await page.evaluate(() => window.semirec.seek(2));
    const before = await picture(page);
    const joints = page.getByLabel('joint forces', { exact: true });
    assert.equal(await joints.isChecked(), false);
    await joints.check();
    const drawn = await different(before, await picture(page));
    assert.ok(drawn > 5e-4, `${drawn} of the pixels differ with the forces of joints`);
    await page.getByLabel('forces', { exact: true }).uncheck();
    assert.ok(await different(before, await picture(page)) > drawn, 'those of the tyres go by themselves');
    await joints.uncheck();
    await page.getByLabel('forces', { exact: true }).check();
    assert.ok(await different(before, await picture(page)) < 1e-4, 'the picture of before');
    await page.leave();
  },

  async 'wheels turn between two poses as far as they do'() {
    // some nineteen radians between two poses
    const frame = 0.5;
    const coarse = report({ until: 4, frame, ghosts: 0 });
    const angles = Array.from({ length: 4 / frame + 1 }, (_, k) => (kSpeed * k * frame) / kWheel);
    coarse.runs[0].spins = [0, 1, 2, 3].map((k) => ({ body: 2 + k, axis: [0, 1, 0], angles }));
    const page = await opened('spins', coarse);
    for (const t of [0.05, 0.26, 1.4, 3.99])
      for (const rim of [2, 5]) {
        const q = await page.evaluate(([at, body]) => { window.semirec.seek(at); return window.semirec.pose(body).slice(3); }, [t, rim]);
        const wanted = poses(t, kRadius).slice(7 * rim + 3, 7 * rim + 7);
        // either sign is the same attitude
        const same = q.reduce((sum, x, k) => sum + x * wanted[k], 0);
        close_to(Math.abs(same), 1, 1e-4, `the attitude of body ${rim} at ${t} s`);
      }
    await page.leave();
  },

  async 'ghosts of other runs appear'() {
    const page = await opened('ghosts', report({ ghosts: 2 }));
    await page.evaluate(() => window.semirec.seek(2));
    assert.equal(await page.evaluate(() => window.semirec.cars()), 3);
    for (const [run, radius] of [[1, kRadius + 3], [2, kRadius + 6]]) {
      const pose = await page.evaluate((r) => window.semirec.pose(1, r), run);
      chassis_pose(2, radius).slice(0, 3).forEach((x, axis) => close_to(pose[axis], x, kSingle, `ghost ${run}, axis ${axis}`));
    }
    const before = await picture(page);
    await page.getByLabel('other runs').uncheck();
    assert.equal(await page.evaluate(() => window.semirec.cars()), 1);
    assert.notDeepEqual(await picture(page), before, 'the picture is another without ghosts');
    // three runs in each plot
    assert.deepEqual((await page.evaluate(() => window.semirec.numbers())).map((numbers) => numbers.length), [3, 3, 3, 3, 3, 3]);
    await page.leave();
  },

  async 'hover in the list finds an element in the 3-D view, and the other way round'() {
    const page = await opened('hover', kinds().info);
    assert.equal(await page.locator('tr.suspect').count(), 1, 'the suspect is marked in the list');
    const before = await picture(page);
    await page.locator('#elements tbody tr', { hasText: 'rear_left spring' }).hover();
    // the hover has scrolled the page: the view as it is drawn, without the page around it
    const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(0))));
    await drawn();
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('#elements tbody tr', { hasText: 'rear_left spring' }).evaluate((row) => row.dispatchEvent(new PointerEvent('pointerenter')));
    assert.notDeepEqual(await picture(page), before, 'the spring is marked');
    const box = await page.locator('.view canvas').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => /, line \d+$/.test(document.querySelector('.tip')?.textContent ?? ''), null, kPatience);
    await page.getByLabel('find an element').fill('front ball');
    assert.equal(await page.locator('#elements tbody tr:visible').count(), 2);
    await page.leave();
  },

  async 'a mode moves the standing car by its amplitude'() {
    const page = await opened('modes', kinds().modes);
    await page.getByLabel('move').uncheck();
    await page.evaluate(() => window.semirec.mode(0));
    const [, , z] = await page.evaluate((body) => window.semirec.pose(body), kChassis);
    // bounce: all bodies up by 1, amplitude 0.1 m at first, phase 0
    close_to(z, chassis_pose(0)[2] + 0.1, kSingle, 'height of the chassis');
    await page.evaluate(() => window.semirec.mode(1));
    const [, , , qx, , , qw] = await page.evaluate((body) => window.semirec.pose(body), kChassis);
    // roll: the body hardly moves in place; a point half a metre off it by 0.1 m, so 0.2 rad about x
    close_to(2 * Math.atan2(qx, qw), 0.2, kSingle, 'roll angle');
    await page.getByLabel('move').check();
    await page.waitForFunction((q) => Math.abs(window.semirec.pose(1)[3] - q) > 0.01, qx, kPatience);
    await page.leave();
  },

  async 'a mesh of the file is drawn on its body, and named under the pointer'() {
    const without = report({ ghosts: 0, until: 2 });
    const whole = report({ ghosts: 0, until: 2 });
    // a tent of 4 m by 2 m over the car, its corners as the program packs them: differences down the columns
    whole.model.shapes.push({
      type: 'mesh', body: kChassis, of: 'tent', line: 7, frame: { p: [0, 0, 0.5], q: [0, 0, 0, 1] },
      positions: [-2, -1, 0, 2, -1, 0, 2, 1, 0, -2, 1, 0, 0, 0, 1.5], indices: [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4],
    });
    const pictures = [];
    for (const [name, shown] of [['without_mesh', without], ['mesh', whole]]) {
      const page = await opened(name, shown);
      await page.evaluate(() => window.semirec.seek(1));
      pictures.push(await picture(page));
      if (name === 'mesh') {
        const box = await page.locator('.view canvas').boundingBox();
        await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.45 * box.height);
        await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.46 * box.height);
        await page.waitForFunction(() => document.querySelector('.tip')?.textContent === 'tent, line 7', null, kPatience);
      }
      await page.leave();
    }
    assert.ok((await different(...pictures)) > 0.02, 'the tent covers some of the view');
  },

  async 'without WebGL there are a line and the plots'() {
    const other = await launch(['--disable-3d-apis']);
    const page = await opened('no_webgl', report({ ghosts: 0 }), { browser: other });
    assert.match(await page.locator('.view').textContent(), /no WebGL/);
    await page.evaluate(() => window.semirec.seek(2));
    close_to(Number((await page.evaluate(() => window.semirec.numbers()))[0][0]), yaw_rate(2), 0.51e-4, 'yaw rate at 2 s');
    await page.leave();
    await other.close();
  },
});
