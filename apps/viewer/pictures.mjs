// Draws pages for the docs.
//   node apps/viewer/pictures.mjs SEMIREC WORK OUT [NAME...]      from the root of the project
// WORK: the folder with node_modules (in the build tree); OUT: where the pictures go; NAME: some of the pictures alone.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { animated_webp } from './animated.mjs';

const kMost = 150_000;     // bytes of a picture
const kMostMoving = 1.5e6;  // of one that moves
const kDesk = { width: 1280, height: 720 };
const kSmall = { width: 1060, height: 600 };
const kListed = { width: 900, height: 520 };  // a view with a list beside it
const kNarrow = { width: 600, height: 560 };  // the view alone
const kPhone = { width: 390, height: 844 };
const car = (name) => `vehicles/models/${name}.xml`;
const drive = (name) => `vehicles/scenarios/${name}.xml`;
const pages = resolve('build/pictures');
const mine = (name) => `mine/${name}.xml`;  // a file that the tutorial lets its reader write

const kTurn = ['run', car('sedan'), drive('step_steer'), '--until', '3'];

// `before`: commands whose results the page takes; a command that ends with --out gets the page's name there, the others --report;
// `act` runs in the page before it is drawn; `film`: the view alone, at these times (s) of the model; `keys` are held in the seat
// until the car goes at `speed` (m/s), and the picture is made once it has come to `x` (m)
const kPictures = [
  { name: 'run', command: ['run', car('iltis'), drive('ramp_and_stairs')], act: () => window.semirec.seek(4.6) },
  { name: 'stairs', command: ['run', car('iltis'), drive('ramp_and_stairs')], film: { from: 2.4, until: 6.2, interval: 0.08 } },
  { name: 'seat', command: ['drive', car('sedan'), drive('handling_track')], keys: ['KeyW'], speed: 8, x: 96, size: { width: 1060, height: 740 } },
  { name: 'run_phone', command: ['run', car('iltis'), drive('ramp_and_stairs')], act: () => window.semirec.seek(4.6), size: kPhone },
  { name: 'run_dark', command: ['run', car('sedan'), drive('step_steer')], act: () => window.semirec.seek(1.2), size: kSmall, scheme: 'dark' },
  { name: 'info', command: ['info', car('iltis')], size: kListed },
  { name: 'manoeuvre', command: ['manoeuvre', 'step_steer', car('sedan')], act: () => window.semirec.seek(8.6), size: kSmall },
  { name: 'compare', command: ['compare', car('iltis'), drive('ramp_and_stairs')], act: () => window.semirec.seek(4.6), size: kSmall },
  { name: 'kc', command: ['kc', car('sedan')], act: () => window.semirec.seek(0.05), size: kSmall },
  { name: 'modes', command: ['modes', car('sedan'), '--speed', '22.2'], act: () => window.semirec.mode(2), size: kSmall },
  { name: 'equilibrium', command: ['equilibrium', car('sedan'), '--speed', '22.2', '--lateral-acceleration', '3'], size: kListed },
  { name: 'sweep', command: ['sweep', 'mine/few_sedans.xml', '--out', 'study'], act: () => window.semirec.pick(12), size: kSmall },
  { name: 'report', command: ['report', 'soft', 'stiff', '--out'], act: () => window.semirec.seek(0.9), size: kSmall,
    before: [[...kTurn, '--out', 'soft'], [...kTurn, '--set', 'torsion_front.stiffness=*1.5', '--out', 'stiff']] },
  { name: 'tutorial_quarter_car', command: ['run', mine('quarter_car'), mine('kerb')], act: () => window.semirec.seek(0.56), size: kSmall },
  { name: 'tutorial_front_axle', command: ['kc', mine('front_axle')], size: kNarrow },
  { name: 'tutorial_car', command: ['equilibrium', mine('car'), '--speed', '20', '--lateral-acceleration', '0:4:1'],
    act: () => window.semirec.seek(4), size: kSmall },
  { name: 'tutorial_lane_change', command: ['manoeuvre', 'lane_change_2', mine('car'), '--with', 'speed=14', '--quick'],
    act: () => window.semirec.seek(5), size: kSmall },
];

/// The files of docs/tutorial, written where they and the commands find the shipped vehicles.
function write_tutorial() {
  const link = join(pages, 'vehicles');
  if (!existsSync(link)) symlinkSync(resolve('vehicles'), link);
  for (const page of readdirSync('docs/tutorial')) {
    const text = readFileSync(join('docs/tutorial', page), 'utf8');
    for (const [, name, file] of text.matchAll(/^`([^`\n]+\.xml)`:\n```xml\n(.*?)^```$/gms)) {
      mkdirSync(dirname(join(pages, name)), { recursive: true });
      writeFileSync(join(pages, name), file);
    }
  }
}

/// The shipped study with so few cars that its picture stays small.
function write_study() {
  mkdirSync(join(pages, 'mine'), { recursive: true });
  const text = readFileSync('vehicles/studies/sedan_step.xml', 'utf8');
  writeFileSync(join(pages, 'mine/few_sedans.xml'), text.replace('count="1000"', 'count="16"').replaceAll('../', '../vehicles/'));
}

const [semirec, work, out, ...names] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(work), 'package.json'))('playwright-core');
const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
for (const folder of [pages, out]) mkdirSync(folder, { recursive: true });
write_tutorial();
write_study();
const unknown = names.filter((name) => !kPictures.some((picture) => picture.name === name));
if (unknown.length) throw new Error(`no picture ${unknown.join(', ')}; there are: ${kPictures.map((picture) => picture.name).join(', ')}`);

const browser = await chromium.launch({ executablePath: program, args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
const call = (words) => execFileSync(resolve(semirec), [...words, '--overwrite'], { cwd: pages, stdio: ['ignore', 'ignore', 'inherit'] });

function keep(file, bytes, most) {
  writeFileSync(file, bytes);
  console.log(`${file}: ${bytes.length} bytes`);
  if (bytes.length >= most) throw new Error(`${file} has ${bytes.length} bytes, expected below ${most}`);
}

/** The view at times of the run, as one picture that moves. */
async function film(tab, { from, until, interval }) {
  const box = await tab.locator('.view').boundingBox();
  const clip = { x: Math.ceil(box.x) + 1, y: Math.ceil(box.y) + 1, width: Math.floor(box.width) - 2, height: Math.floor(box.height) - 2, scale: 1 };
  const browser_side = await tab.context().newCDPSession(tab);
  const stills = [];
  for (let t = from; t < until; t += interval) {
    await tab.evaluate((time) => window.semirec.seek(time), t);
    await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const { data } = await browser_side.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip });
    stills.push(Buffer.from(data, 'base64'));
  }
  return animated_webp(stills, clip.width, clip.height, 1000 * interval);
}

/** The seat while it is driven. */
async function draw_seat({ command, keys, speed, x, size }) {
  const child = spawn(resolve(semirec), [...command, '--priority', '0'], { cwd: pages, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise((done) => {
      let said = '';
      child.stdout.on('data', (data) => {
        const found = (said += data).match(/http:\S+/);
        if (found) done(found[0]);
      });
    });
    const tab = await browser.newPage({ viewport: size, colorScheme: 'light' });
    await tab.goto(url);
    await tab.waitForFunction(() => window.seat?.moments() > 0);
    for (const key of keys) await tab.keyboard.down(key);
    await tab.waitForFunction((least) => Math.hypot(window.seat.output('chassis.vx'), window.seat.output('chassis.vy')) > least, speed, { timeout: 120_000 });
    for (const key of keys) await tab.keyboard.up(key);
    await tab.locator('#set-up summary').click();
    await tab.evaluate(() => scrollTo(0, 0));
    await tab.waitForFunction((least) => window.seat.output('chassis.x') > least, x, { timeout: 120_000 });
    const picture = await tab.screenshot();
    await tab.close();
    return picture;
  } finally {
    child.kill('SIGINT');
  }
}

for (const { name, command, before = [], act, film: moving, keys, speed, x, size = kDesk, scheme = 'light' } of kPictures) {
  if (names.length && !names.includes(name)) continue;
  if (keys) {
    keep(join(out, `${name}.png`), await draw_seat({ command, keys, speed, x, size }), kMost);
    continue;
  }
  const page = join(pages, `${name}.html`);
  for (const words of before) call(words);
  call(command.at(-1) === '--out' ? [...command, page] : [...command, '--report', page]);
  const tab = await browser.newPage({ viewport: size, colorScheme: scheme });
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForFunction(() => window.semirec?.ready);
  if (act) await tab.evaluate(act);
  // two frames: one to draw, one to be seen
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  if (moving) keep(join(out, `${name}.webp`), await film(tab, moving), kMostMoving);
  else keep(join(out, `${name}.png`), await tab.screenshot(), kMost);
  await tab.close();
}
await browser.close();
