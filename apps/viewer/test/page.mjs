// A page as the program writes it, from the bundle and a report.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const json_text = (report) =>
  JSON.stringify(report).replace(/</g, '\\u003c').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');

const markup_text = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** `text`: the JSON; `bundle`: the folder with page.js and page.css. */
export function page_of(text, bundle, title = 'report') {
  const script = readFileSync(join(bundle, 'page.js'), 'utf8');
  const style = readFileSync(join(bundle, 'page.css'), 'utf8');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<link rel="icon" href="data:,"><title>${markup_text(title)}</title><style>${style}</style></head><body><script>${script}</script>
<script type="application/json" id="semirec-report">${text}</script></body></html>
`;
}
