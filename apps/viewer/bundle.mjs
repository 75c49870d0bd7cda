// Bundles the page into one script and one style sheet.
//   node bundle.mjs --out FOLDER [--watch] [--cpp FILE]
// --cpp also writes both as C++ (apps/viewer/page.hpp).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const kLimit = 1_000_000;  // bytes of script and style together
const kBundled = ['three', 'uplot'];

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

/** `import licences from 'licences'`: name, version and licence text of what is bundled. */
const licences = {
  name: 'licences',
  setup(build) {
    build.onResolve({ filter: /^licences$/ }, () => ({ path: 'licences', namespace: 'licences' }));
    build.onLoad({ filter: /.*/, namespace: 'licences' }, async () => {
      const found = await Promise.all(kBundled.map(async (name) => {
        const folder = join('node_modules', name);
        const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
        return { name, version, licence: license, text: await readFile(join(folder, 'LICENSE'), 'utf8') };
      }));
      return { contents: `export default ${JSON.stringify(found)}`, loader: 'js' };
    });
  },
};

/** One C++ string literal; all but printable ASCII in octal, which takes no more than three digits. */
function literal(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 4096) {
    let line = '';
    for (const byte of bytes.subarray(start, start + 4096)) {
      // and no trigraphs: a question mark, too
      if (byte === 0x5c || byte === 0x22 || byte === 0x3f) line += '\\' + String.fromCharCode(byte);
      else if (byte >= 0x20 && byte < 0x7f) line += String.fromCharCode(byte);
      else line += '\\' + byte.toString(8).padStart(3, '0');
    }
    lines.push(`"${line}"`);
  }
  return lines.join('\n') || '""';
}

function cpp(script, style) {
  return `// Written by apps/viewer/bundle.mjs.
#include "apps/viewer/page.hpp"

#pragma GCC diagnostic ignored "-Woverlength-strings"

namespace semirec::viewer {

std::string_view page_script() {
  static constexpr char text[] =
${literal(script)};
  return {text, sizeof text - 1};
}

std::string_view page_style() {
  static constexpr char text[] =
${literal(style)};
  return {text, sizeof text - 1};
}

}  // namespace semirec::viewer
`;
}

const out = option('--out') ?? 'build';
const options = {
  entryPoints: { page: 'src/main.ts' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  charset: 'ascii',
  legalComments: 'none',  // the licences stand in the page, under "About"
  logLevel: 'warning',
  plugins: [licences],
};
await mkdir(out, { recursive: true });

if (process.argv.includes('--watch')) {
  const context = await esbuild.context({ ...options, minify: false, logLevel: 'info' });
  await context.watch();
} else {
  await esbuild.build(options);
  const script = await readFile(join(out, 'page.js'));
  const style = await readFile(join(out, 'page.css'));
  // what would end the element that the page puts it in
  if (/<\/script|<!--/i.test(script.toString('latin1'))) throw new Error('the script holds </script or <!--');
  if (/<\/style/i.test(style.toString('latin1'))) throw new Error('the style holds </style');
  const bytes = script.length + style.length;
  if (bytes >= kLimit) throw new Error(`script and style take ${bytes} bytes, expected below ${kLimit}`);
  const file = option('--cpp');
  if (file) await writeFile(file, cpp(script, style));
  console.log(`page: script ${script.length} bytes, style ${style.length} bytes`);
}
