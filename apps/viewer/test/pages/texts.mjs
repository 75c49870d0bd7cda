// What a page says: each kind, hostile names, results that are not whole.
import assert from 'node:assert/strict';
import { chassis_pose, report } from '../car.mjs';
import { close_to, kSingle } from '../desk.mjs';
import { broken, differences, hostile, kHostile, kinds } from '../kinds.mjs';
import { json_text, page_of } from '../page.mjs';

export const tests = ({ open, opened, look, picture, bundle }) => ({
  async 'each kind of page opens, says nothing and asks for nothing'() {
    for (const [kind, shown] of Object.entries(kinds())) {
      const page = await opened(`kind_${kind}`, shown);
      assert.equal(await page.locator('.title').textContent(), shown.title);
      await page.leave();
    }
  },

  async 'hostile names are shown as text, and push nothing off the page'() {
    for (const width of [1280, 390]) {
      const page = await opened('hostile', hostile(), { page: { viewport: { width, height: 720 } } });
      await page.getByLabel('find a channel').focus();
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.equal(await page.locator('script').count(), 2);
      assert.equal(await page.locator('#page img, #page b').count(), 0);
      const text = await page.locator('#page').evaluate((element) => element.textContent);
      for (const name of kHostile) assert.ok(text.includes(name), `the text of the page has ${name.slice(0, 40)}`);
      const { wide, window_width } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, window_width: innerWidth }));
      assert.ok(wide <= window_width, `the page is ${wide} wide in a window of ${window_width}`);
      await page.leave();
    }
  },

  async 'numbers that are none and shapes that are not whole are left out'() {
    const page = await opened('broken', broken());
    assert.equal(await page.locator('.lines.fault').count(), 0);
    assert.match(await page.locator('.status.bad').textContent(), /^failed: 0.5 s/);
    for (const t of [0, 0.3, 0.6, 0.2]) {
      await page.evaluate((to) => window.semirec.seek(to), t);
      const png = await picture(page);
      if (t < 0.5) {
        const pose = await page.evaluate(() => window.semirec.pose(1));
        chassis_pose(t).slice(0, 3).forEach((x, axis) => close_to(pose[axis], x, kSingle, `${t} s, axis ${axis}`));
        const { colours } = await look(png);
        assert.ok(colours > 200, `${t} s: ${colours} colours`);
      }
    }
    for (const mode of [0, 2, null]) await page.evaluate((index) => window.semirec.mode(index), mode);
    await page.leave();
  },

  async 'units and numbers are written as by hand, and no number breaks at its minus'() {
    const shown = report({ until: 1, ghosts: 0 });
    shown.answers = ['m/s^2', 'm/s^1.75', 'us', 'kg m^2'].map((unit) => ({ name: `in ${unit}`, value: 1, unit }));
    shown.model.elements = [{ name: 'leaf', kind: 'body', line: 3, text: '0.001 kg, 9.4e-06 -3e+02 x-2 kg m^2', body: 1 }];
    const page = await opened('units', shown);
    assert.deepEqual(await page.locator('#answers td.unit').allTextContents(), ['m/s\u00b2', 'm/s^1.75', '\u00b5s', 'kg m\u00b2']);
    assert.equal(await page.locator('#elements tbody td').last().textContent(), '0.001 kg, 9.4e\u22126 \u22123e+02 x-2 kg m\u00b2');
    await page.leave();
  },

  async 'results that were cut short open with what is there, and say so'() {
    const whole = json_text(report());
    for (const share of [0.0005, 0.3, 0.6, 0.95]) {
      const cut = whole.slice(0, Math.floor(share * whole.length));
      const page = await open(`cut_${share}`, '', { html: page_of(cut, bundle).replace('</script></body></html>\n', '') });
      assert.match(await page.locator('.lines.fault').textContent(), /^The results in this file are cut short/);
      if (share >= 0.3) assert.equal(await page.locator('#answers tbody tr').count(), 3);
      await page.leave();
    }
    for (const [name, text, line] of [
      ['other_format', json_text({ ...report({ until: 1 }), format: 7 }), /^This page reads format 1, the results have format 7/],
      ['no_json', 'these are no results', /^The results in this file (are cut short|cannot be read)/],
      ['no_object', '[1, 2]', /^The results in this file are no report/],
      ['nothing', '', /^The results in this file are cut short/],
    ]) {
      const page = await open(name, text);
      assert.match(await page.locator('.lines.fault').textContent(), line);
      await page.leave();
    }
  },

  async 'runs without a car lie over one another, their differences beside'() {
    const page = await opened('differences', differences());
    await page.evaluate(() => window.semirec.seek(2));
    const numbers = (await page.evaluate(() => window.semirec.numbers())).map((row) => row.map((text) => Number(text.replace('\u2212', '-'))));
    // a difference follows its channel
    assert.deepEqual(numbers.map((row) => row.length), [2, 1, 2]);
    // four decimals; rows of the second run 0.1 s apart: a row is at 2 s
    [[Math.sin(2), 0.9 * Math.sin(2)], [-0.1 * Math.sin(2)]].forEach((row, p) => row.forEach((x, c) => close_to(numbers[p][c], x, 0.51e-4, `plot ${p}, curve ${c}`)));
    assert.equal(await page.locator('.view canvas').count(), 0);
    assert.deepEqual(await page.locator('#tables tbody td').allTextContents(), ['chassis.roll', '\u22120.1', 'rad']);
    await page.leave();
  },
});
