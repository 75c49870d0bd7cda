// The page in a real browser.
//   node test/browser.mjs BUNDLE [WORK [CHROMIUM [NAME]]]     WORK: the folder with node_modules; pages are written to WORK/pages
//                                                            NAME: a part (a file of test/pages) or the one test to run
import { Desk } from './desk.mjs';
import { run_tests } from './launch.mjs';
import * as curves from './pages/curves.mjs';
import * as frames from './pages/frames.mjs';
import * as scene from './pages/scene.mjs';
import * as texts from './pages/texts.mjs';

const kParts = { texts, scene, curves, frames };

const [bundle, work = '.', program, only] = process.argv.slice(2);
const desk = new Desk(bundle, work, program);
await desk.start();
const failed = await run_tests(kParts, desk, only, () => desk.restart());
await desk.browser.close();
process.exit(failed ? 1 : 0);
