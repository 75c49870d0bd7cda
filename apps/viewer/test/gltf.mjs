// glTF files of runs and modes as Khronos' validator reads them.
//   node test/gltf.mjs SEMIREC [WORK]     WORK: the folder with node_modules
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run_tests } from './launch.mjs';

const [semirec, work = '.', only] = process.argv.slice(2);
const { validateBytes } = createRequire(join(resolve(work), 'package.json'))('gltf-validator');
const source = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'semirec_gltf_'));
const say = (...words) => execFileSync(semirec, words, { cwd: source, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 });
const model = (name) => join('vehicles', 'models', name);
const scenario = (name) => join('vehicles', 'scenarios', name);

/** No error and no warning; what the validator counts in it. */
async function valid(path) {
  const report = await validateBytes(new Uint8Array(readFileSync(path)), { uri: basename(path) });
  const { numErrors, numWarnings, messages } = report.issues;
  assert.deepEqual([numErrors, numWarnings], [0, 0], `${basename(path)}: ${JSON.stringify(messages.slice(0, 5))}`);
  return report.info;
}

const kRuns = [
  ['sedan.xml', 'step_steer.xml'], ['iltis.xml', 'ramp_and_stairs.xml'], ['double_four_bar.xml', 'free_10s.xml'],
];

const tests = {
  async 'runs are valid'() {
    for (const [car, drive] of kRuns) {
      const path = join(folder, `${car}.glb`);
      say('run', model(car), scenario(drive), '--until', '0.5', '--gltf', path);
      const info = await valid(path);
      assert.equal(info.animationCount, 1, car);
      // one mesh at least; Iltis and sedan have wheels, too
      assert.ok(info.totalTriangleCount > 50, `${car}: ${info.totalTriangleCount} triangles`);
    }
  },

  async 'meshes of files stand in the run of their car'() {
    const path = join(folder, 'sled.glb');
    say('run', join('tests', 'data', 'meshes', 'sled.xml'), join('tests', 'data', 'two_seconds.xml'), '--until', '0.1', '--gltf', path);
    const info = await valid(path);
    // five wedges of eight triangles, and what the file's own bodies are drawn by
    assert.ok(info.totalTriangleCount >= 40, `${info.totalTriangleCount} triangles`);
  },

  async 'the validator sees a fault'() {
    const path = join(folder, `${kRuns[0][0]}.glb`);
    const bytes = new Uint8Array(readFileSync(path));
    // the length that the head tells
    bytes[8] ^= 4;
    const report = await validateBytes(bytes);
    assert.ok(report.issues.numErrors > 0);
  },

  async 'mode shapes are valid'() {
    for (const car of ['sedan.xml', 'iltis.xml']) {
      const out = join(folder, `modes_${car}`);
      say('modes', model(car), '--speed', '20', '--out', out);
      const files = readdirSync(out).filter((name) => /\.gl(b|tf)$/.test(name));
      assert.ok(files.length > 0, `${car}: ${readdirSync(out)}`);
      for (const name of files) assert.ok((await valid(join(out, name))).animationCount > 0, `${car} ${name}`);
    }
  },
};

let failed = 1;
try {
  failed = await run_tests({ gltf: { tests: () => tests } }, null, only, async () => {});
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
