import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const styles = path.join(import.meta.dirname, '../src/styles');
const mainSheet = /\s*<link rel="stylesheet"[^>]*>/;

/**
 * Lets the browser paint the frame of the page before the other styles and the scripts have come. On a slow link they
 * share the bandwidth with the sheet that painting waits for, so that one is small; the large one comes after the frame.
 */
export function paintFrameFirst(out: string): void {
  const page = path.join(out, 'index.html');
  const html = readFileSync(page, 'utf8');
  const sheet = ['tokens.css', 'first-frame.css']
    .map((name) => readFileSync(path.join(styles, name)))
    .join('\n');
  const name = `frame-${createHash('sha256').update(sheet).digest('base64url').slice(0, 8)}.css`;
  writeFileSync(path.join(out, 'assets', name), sheet);
  const [link] = mainSheet.exec(html)!;
  // First of all, because scripts would take up the connections.
  const first = `<head>\n    <link rel="stylesheet" href="/assets/${name}">`;
  const moved = html.replace(link, '').replace('<noscript>', `${link.trim()}\n    <noscript>`);
  writeFileSync(page, moved.replace('<head>', first));
}
