// Time, plots, charts, the views of a study, the printer.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kBounce, kChassis, chassis_pose, report, roll_angle, yaw_rate } from '../car.mjs';
import { close_to, kPatience, kSingle } from '../desk.mjs';
import { bar_of, kDrawn, kRaised, kRoll, kSamples, kTravel, rig, roll_of, spring_of, study } from '../kinds.mjs';

export const tests = ({ opened, picture, pages }) => ({
  async 'scrubbing moves the car, the cursor and the numbers together'() {
    const page = await opened('scrub', report({ ghosts: 0 }));
    const check = async (how) => {
      const shown = await page.evaluate(() => ({ t: window.semirec.time(), pose: window.semirec.pose(1), cursors: window.semirec.cursors(), numbers: window.semirec.numbers() }));
      const { t } = shown;
      // between frames, 0.02 s apart, the place is off by the arch of the chord: 12^2 / 30 * 0.02^2 / 8 = 2.4e-4 m, and that of the bounce
      const arch = Math.abs(t / 0.02 - Math.round(t / 0.02)) < 1e-9 ? 0 : 2.5e-4 + (kBounce * 81 * 0.02 ** 2) / 8;
      chassis_pose(t).slice(0, 3).forEach((x, axis) => close_to(shown.pose[axis], x, kSingle + arch, `${how}: place of the chassis, axis ${axis}`));
      const width = await page.locator('.u-over').first().evaluate((over) => over.clientWidth);
      assert.equal(shown.cursors.length, 3);
      // a pixel's width of time
      for (const cursor of shown.cursors) close_to(cursor, t, 10 / width, `${how}: the cursor's time`);
      // four decimals are shown, and 0.01 s between the rows bend the curve by 9 * 0.02 * 0.01^2 / 8
      close_to(Number(shown.numbers[0][0].replace('\u2212', '-')), yaw_rate(t), 0.51e-4 + 3e-6, `${how}: the yaw rate`);
      close_to(Number(shown.numbers[1][0].replace('\u2212', '-')), roll_angle(t), 0.51e-4 + 3e-6, `${how}: the roll angle`);
      assert.match(await page.locator('.time').textContent(), new RegExp(`^${t.toFixed(3).replace('.', '\\.')} s$`));
    };
    for (const t of [0, 1.24, 5.5, 10]) {
      await page.evaluate((to) => window.semirec.seek(to), t);
      assert.equal(await page.evaluate(() => window.semirec.time()), t);
      await check(`seek to ${t} s`);
    }
    // a click in the plot, 30 % of its width from the left
    const over = page.locator('.u-over').nth(1);
    const box = await over.boundingBox();
    await page.mouse.click(box.x + 0.3 * box.width, box.y + 20);
    close_to(await page.evaluate(() => window.semirec.time()), 3, 10 / box.width, 'time of a click');
    await check('click');
    const before = await picture(page);
    await page.locator('.scrub').focus();
    await page.keyboard.press('ArrowRight');
    await check('arrow key');
    close_to(await page.evaluate(() => window.semirec.time()), 3.05, 11 / box.width, 'time after one two-hundredth');
    assert.notDeepEqual(await picture(page), before, 'the picture has changed');
    await page.leave();
  },

  async 'it plays, at the speed that is chosen'() {
    const page = await opened('play', report({ ghosts: 0, until: 60, frame: 0.1, step: 0.1 }));
    await page.getByLabel('speed').selectOption('2');
    await page.locator('.play').click();
    await page.waitForFunction(() => window.semirec.time() > 1, null, kPatience);
    await page.locator('.play').click();
    const stopped = await page.evaluate(() => window.semirec.time());
    await page.waitForTimeout(300);
    assert.equal(await page.evaluate(() => window.semirec.time()), stopped, 'it stands when it is paused');
    await page.leave();
  },

  async 'the search finds a channel, adds its plot and takes it away'() {
    const page = await opened('search', report({ ghosts: 0 }));
    await page.evaluate(() => window.semirec.seek(4));
    await page.getByLabel('find a channel').fill('STRAIN gauge_17');
    const lines = page.locator('.channel-list button');
    assert.equal(await lines.count(), 1);
    await lines.click();
    const numbers = await page.evaluate(() => window.semirec.numbers());
    assert.equal(numbers.length, 4);
    close_to(Number(numbers[3][0].replace('\u2212', '-')), Math.sin(4 + 17), 0.51e-4, 'sin(t + 17) at 4 s');
    await lines.click();
    assert.equal((await page.evaluate(() => window.semirec.numbers())).length, 3);
    await page.getByLabel('find a channel').fill('no such thing');
    assert.equal(await lines.count(), 0);
    await page.keyboard.press('Escape');
    await page.locator('.plot-head button').first().click();
    assert.equal((await page.evaluate(() => window.semirec.numbers())).length, 2);
    await page.leave();
  },

  async 'of runs on one another the first alone is a whole line, and points of one colour differ'() {
    const shown = report({ until: 1, ghosts: 4 });
    shown.charts = [{ title: 'eigenvalues', x: { label: 'real part', unit: '1/s' }, y: { label: 'imaginary part', unit: 'rad/s' },
      series: Array.from({ length: 16 }, (_, k) => ({ name: `mode ${k}`, points: true, x: [-k], y: [k] })) }];
    const page = await opened('told_apart', shown);
    const dashes = await page.locator('.plot-list .plot').first().locator('line').evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke-dasharray')));
    assert.equal(dashes.length, 5);
    assert.deepEqual(dashes.map((dash) => dash === ''), [true, false, false, false, false]);
    const samples = await page.locator('.chart .key polygon').evaluateAll((all) => all.map((one) => `${one.getAttribute('fill')} ${one.getAttribute('points').split(' ').length}`));
    assert.equal(new Set(samples).size, 16, samples.join('; '));
    await page.leave();
  },

  async 'labels of marks take nothing from the height of the data'() {
    const shown = report({ until: 1, ghosts: 0 });
    const heights = [];
    for (const marks of [shown.runs[0].marks, []]) {
      shown.runs[0].marks = marks;
      const page = await opened('labels', shown);
      heights.push(await page.locator('.plot-list .u-over').first().evaluate((over) => over.clientHeight));
      await page.leave();
    }
    assert.equal(heights[0], heights[1]);
    assert.ok(heights[0] > 90, `${heights[0]} px`);
  },

  async 'a brush on an axis filters the lines, the points and the table'() {
    const page = await opened('study', study());
    const all = Array.from({ length: kSamples }, (_, k) => k);
    const drag = async (column, from, to) => {
      await page.evaluate(() => scrollTo(0, 0));
      const [[x, y0], [, y1]] = await page.evaluate(([c, a, b]) => [window.semirec.on_axis(c, a), window.semirec.on_axis(c, b)], [column, from, to]);
      await page.mouse.move(x, y0);
      await page.mouse.down();
      await page.mouse.move(x, 0.5 * (y0 + y1));
      await page.mouse.move(x, y1);
      await page.mouse.up();
    };
    // the table follows when the brush pauses
    const rows = (count) => page.waitForFunction((n) => document.querySelectorAll('.cars tbody tr').length === n, count, kPatience);
    assert.equal(await page.evaluate(() => window.semirec.kept()), kSamples);
    const before = await page.locator('#matrix canvas').screenshot();
    // half way between two samples, so that a pixel decides nothing: 0.45 / 79 a sample, 1.1 a pixel
    const middle = (k) => 0.5 * (spring_of(k) + spring_of(k + 1));
    await drag(0, middle(19), middle(49));
    const within = (k) => spring_of(k) > middle(19) && spring_of(k) < middle(49);
    assert.equal(await page.evaluate(() => window.semirec.kept()), 30);
    await rows(30);
    assert.equal(await page.locator('.brushes .count').first().textContent(), `30 of ${kSamples} cars`);
    assert.notDeepEqual(await page.locator('#matrix canvas').screenshot(), before, 'the points follow');
    // a second one on the logarithmic axis: the mean of two neighbours' logarithms
    const bars = all.map(bar_of).sort((a, b) => a - b);
    const cut = Math.sqrt(bars[39] * bars[40]);
    await drag(1, cut, 1700);
    const both = all.filter((k) => within(k) && bar_of(k) > cut);
    assert.equal(await page.evaluate(() => window.semirec.kept()), both.length);
    await rows(both.length);
    assert.deepEqual((await page.locator('.cars tbody tr td:first-child').allTextContents()).map(Number), both.map((k) => 10 * k));
    // a click on the axis takes its brush away, and so does the cross of the other one
    await page.evaluate(() => scrollTo(0, 0));
    const [x, y] = await page.evaluate(() => window.semirec.on_axis(0, 1));
    await page.mouse.click(x, y);
    assert.equal(await page.evaluate(() => window.semirec.kept()), 40);
    await page.locator('.brush button').click();
    assert.equal(await page.evaluate(() => window.semirec.kept()), kSamples);
    // a brush on a response leaves out the one that has none
    const rolls = all.map(roll_of).filter(Number.isFinite);
    await drag(3, Math.min(...rolls) - 0.0012, Math.max(...rolls) + 0.0012);
    assert.equal(await page.evaluate(() => window.semirec.kept()), kSamples - 1);
    await page.leave();
  },

  async 'each of several commands writes a page of its own'() {
    const pages_of = async (commands) => {
      const page = await opened('study_pages', { ...study(), study: { ...study().study, commands } });
      await page.evaluate((row) => window.semirec.pick(row), kDrawn);
      const shown = await page.locator('.picked pre').allTextContents();
      await page.leave();
      return shown.map((command) => command.split(' --report ')[1]);
    };
    assert.deepEqual(await pages_of(['semirec run a b', 'semirec kc a']), ['car_120_1.html', 'car_120_2.html']);
    assert.deepEqual(await pages_of(['semirec run a b']), ['car_120.html']);
  },

  async 'a click on a point, a line or a row opens its car'() {
    const page = await opened('study_pick', study());
    await page.locator('#matrix').scrollIntoViewIfNeeded();
    const [x, y] = await page.evaluate((row) => window.semirec.on_matrix(0, 3, row), kDrawn);
    await page.mouse.click(x, y);
    assert.equal(await page.evaluate(() => window.semirec.picked()), kDrawn);
    assert.match(await page.locator('.picked h3').textContent(), /^car 120, drawn with its own values/);
    const cells = await page.locator('.picked td.value').allTextContents();
    close_to(Number(cells[0]), spring_of(kDrawn), 0.5e-5, 'the spring, five digits');
    close_to(Number(cells[2]), roll_of(kDrawn), 0.5e-6, 'the roll, five digits');
    const command = await page.locator('.picked pre').first().textContent();
    assert.equal(command, `semirec run car.xml step.xml --until 2 --set 'spring_f*.k=*${spring_of(kDrawn)}' --set 'bar.stiffness=${bar_of(kDrawn)}' ` .replace(/'(bar[^']*)'/, '$1') +
      '--set bush.type=soft --report car_120_1.html');
    const height = async () => (await page.evaluate((body) => window.semirec.pose(body), kChassis))[2];
    close_to(await height(), chassis_pose(0)[2] + kRaised, kSingle, 'the chassis of its own drawing');
    // a row whose car has no drawing: that of the file again
    await page.locator('.cars tbody tr').nth(8).click();
    assert.equal(await page.evaluate(() => window.semirec.picked()), 8);
    close_to(await height(), chassis_pose(0)[2], kSingle, 'the chassis of the file');
    await page.evaluate(() => window.semirec.pick(7));
    assert.match(await page.locator('.picked .failed').textContent(), /^stopped at 0.4 s/);
    // a line half way between two axes that are neighbours
    await page.evaluate(() => scrollTo(0, 0));
    const [[x0, y0], [x1, y1]] = await page.evaluate(([a, b]) => [window.semirec.on_axis(0, a), window.semirec.on_axis(1, b)], [spring_of(0), bar_of(0)]);
    await page.mouse.click(0.5 * (x0 + x1), 0.5 * (y0 + y1));
    assert.equal(await page.evaluate(() => window.semirec.picked()), 0);
    await page.leave();
  },

  async 'the slider moves the rig, and the cursors of its curves follow'() {
    const page = await opened('rig', rig());
    const shown = () => page.evaluate(() => ({ x: window.semirec.time(), wheel: window.semirec.pose(2), chassis: window.semirec.pose(1), cursors: window.semirec.chart_cursors() }));
    const width = await page.locator('.chart .u-over').first().evaluate((over) => over.clientWidth);
    const height = (await shown()).wheel[2];
    // it begins in the middle, where nothing has moved
    close_to((await shown()).x, 0, 1e-12, 'the variable at first');
    for (const x of [-kTravel, 0.03, 0.0333, kTravel]) {
      await page.evaluate((to) => window.semirec.seek(to), x);
      const { wheel, cursors } = await shown();
      close_to(wheel[2] - height, x, kSingle, `travel ${x} m: the wheel`);
      // the charts have 8 % of room beside the curve; a pixel
      for (const k of [0, 2]) close_to(cursors[k], x, (2.2 * kTravel) / width, `travel ${x} m: the cursor of chart ${k}`);
      assert.equal(cursors[1], null, 'the chart of the other test has no cursor');
      assert.equal(await page.locator('.time').textContent(), `${x.toFixed(3)} m`);
    }
    // a click in a chart, in its middle
    const box = await page.locator('.chart .u-over').first().boundingBox();
    await page.mouse.click(box.x + 0.5 * box.width, box.y + 30);
    close_to((await shown()).x, 0, (2.2 * kTravel) / width, 'a click in the middle');
    await page.getByLabel('test').selectOption('roll');
    await page.locator('.scrub').focus();
    await page.keyboard.press('Shift+ArrowRight');
    const { x, chassis, cursors } = await shown();
    close_to(x, 0.1 * kRoll, 1e-6, 'a twentieth of the axis');
    close_to(2 * Math.atan2(chassis[3], chassis[6]), x, kSingle, 'the roll angle');
    assert.deepEqual(cursors.map((cursor) => cursor !== null), [false, true, false]);
    assert.equal(await page.locator('.time').textContent(), `${x.toFixed(3)} rad`);
    await page.leave();
  },

  async 'print gives a PDF with the plots and the car as pictures'() {
    const page = await opened('print', report({ ghosts: 0 }), { page: { colorScheme: 'dark' } });
    const pdf = await page.pdf({ format: 'A4' });
    const text = pdf.toString('latin1');
    const count = (text.match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;
    const pictures = (text.match(/\/Subtype\s*\/Image/g) ?? []).length;
    console.log(`    PDF: ${pdf.length} bytes, ${count} pages, ${pictures} pictures`);
    writeFileSync(join(pages, 'print.pdf'), pdf);
    // three plots, two charts, the car
    assert.ok(pictures >= 6, `${pictures} pictures, expected 6`);
    assert.ok(count >= 2 && count <= 8, `${count} pages`);
    assert.equal(await page.locator('img.printed').count(), 0, 'the pictures are taken away afterwards');
    await page.leave();
  },

  async 'ten minutes open'() {
    const page = await opened('ten_minutes', report({ until: 600, ghosts: 0, frame: 0.05 }));
    const seconds = (await page.evaluate(() => window.semirec.opened)) / 1000;
    console.log(`    600 s of car, 60001 rows of 46 channels: opened in ${seconds.toFixed(2)} s`);
    await page.evaluate(() => window.semirec.seek(599));
    const pose = await page.evaluate(() => window.semirec.pose(1));
    // times are 32-bit: 3.1e-5 s at 599 s, at 12 m/s
    chassis_pose(599).slice(0, 3).forEach((x, axis) => close_to(pose[axis], x, 3.1e-5 * 12 + kSingle, `axis ${axis}`));
    await page.leave();
  },
});
