// A browser for the tests, and running them one after the other.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const kFlags = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** `work`: the folder with node_modules; `program`: chromium, or where Debian puts it. */
export function launcher(work, program = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync)) {
  const { chromium } = createRequire(join(resolve(work), 'package.json'))('playwright-core');
  return (flags = kFlags) => chromium.launch({ executablePath: program, args: flags });
}

/**
 * Runs the tests of the part named `only`, those with `only` in their name, or all; `mend` is called after one that failed. How
 * many failed. Each part has `tests(tools)`.
 */
export async function run_tests(parts, tools, only, mend) {
  let failed = 0;
  let ran = 0;
  for (const [part, { tests }] of Object.entries(parts)) {
    for (const [name, run] of Object.entries(tests(tools))) {
      if (only && part !== only && (only in parts || !name.includes(only))) continue;
      ++ran;
      const start = Date.now();
      try {
        await run();
        console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
      } catch (error) {
        ++failed;
        console.log(`FAILED  ${name}\n${error.stack ?? error}`);
        await mend();
      }
    }
  }
  if (ran === 0) throw new Error(`no part is '${only}', and no test's name has it`);
  console.log(failed ? `${failed} of ${ran} tests failed` : `all ${ran} tests passed`);
  return failed;
}
