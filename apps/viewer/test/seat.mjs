// The seat in a real browser: semirec drive and its page.
//   node test/seat.mjs SEMIREC [WORK [CHROMIUM [NAME]]]     WORK: the folder with node_modules; drives are written to WORK/drives
//                                                         NAME: a part (a file of test/seat) or the one test to run
import { Garage } from './garage.mjs';
import { run_tests } from './launch.mjs';
import * as drives from './seat/drives.mjs';
import * as hands from './seat/hands.mjs';

const [semirec, work = '.', program, only] = process.argv.slice(2);
const garage = new Garage(semirec, work, program);
await garage.open();
const failed = await run_tests({ hands, drives }, garage, only, () => garage.reopen());
await garage.close();
process.exit(failed ? 1 : 0);
