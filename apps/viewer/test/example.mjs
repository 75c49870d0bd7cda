// Writes example.html, or the page of a report in a file.
//   node test/example.mjs BUNDLE [REPORT.json [PAGE.html]]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report } from './car.mjs';
import { json_text, page_of } from './page.mjs';

const [bundle, file, page] = process.argv.slice(2);
const path = page ?? join(bundle, 'example.html');
const shown = file ? JSON.parse(readFileSync(file, 'utf8')) : report();
writeFileSync(path, page_of(json_text(shown), bundle, shown.title));
console.log(path);
