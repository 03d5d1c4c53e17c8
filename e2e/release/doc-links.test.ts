import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['*.md', 'docs/**/*.md', 'packages/*/README.md', 'bench/**/*.md', 'e2e/README.md'];
const files = globSync(pages, { cwd: root });

it('has no link in its pages that leads nowhere', () => {
  expect(files.length).toBeGreaterThan(70);
  expect(files.flatMap(deadLinks)).toEqual([]);
});

function deadLinks(file: string): string[] {
  const links = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !isAlive(file, link))
    .map((link) => `${file}: ${link}`);
}

function isAlive(file: string, link: string): boolean {
  const [name, anchor] = link.split('#') as [string, string?];
  const target = name === '' ? file : path.join(path.dirname(file), name);
  if (!existsSync(path.join(root, target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}

/** As GitHub makes them from headings. */
function anchorsOf(file: string): Set<string> {
  const headings = [...proseOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  const linkTexts = headings.map((heading) => heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
  return new Set(
    linkTexts.map((text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}

/** Without code, in which a `#` is a comment. */
function proseOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');
}
