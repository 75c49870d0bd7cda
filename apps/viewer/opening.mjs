// How long pages take to open.
//   node apps/viewer/opening.mjs WORK COUNT PAGE.html...      WORK: the folder with node_modules; each page is opened COUNT times
import { statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launcher } from './test/launch.mjs';

const [work, count, ...files] = process.argv.slice(2);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const row = (...cells) => console.log(cells[0].padEnd(24) + cells.slice(1).map((cell) => cell.padStart(14)).join(''));

/** Times since navigation in s: the first picture on the screen, and all that the page does of itself done and drawn. */
async function open(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForFunction(() => window.semirec?.ready, null, { timeout: 120000 });
  const whole = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  // the browser says so once the picture has come out
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  await page.close();
  return { first: first / 1000, whole: Math.max(whole, first) / 1000 };
}

const browser = await launcher(work)();
console.log(`median of ${count}, software rendering at 1280 x 720; load of the machine ${loadavg()[0].toFixed(1)} on ${cpus().length} cores`);
row('', 'size', 'first picture', 'whole page');
for (const file of files) {
  const times = [];
  for (let k = 0; k < Number(count); ++k) times.push(await open(browser, file));
  row(basename(file), `${(statSync(file).size / 1e6).toFixed(2)} MB`, ...['first', 'whole'].map((part) => `${median(times.map((time) => time[part])).toFixed(2)} s`));
}
await browser.close();
