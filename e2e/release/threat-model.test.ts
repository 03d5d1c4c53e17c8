import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/reference/threat-model.md', root), 'utf8');

it('maps each of the ten of OWASP to tests', () => {
  const sections = page.split(/^### /m).slice(1);
  expect(sections.map((section) => section.split(':')[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  );
  for (const section of sections) expect(section).toMatch(/^Shown by `/m);
});

it('names tests that exist', () => {
  const named = [...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !existsSync(fileURLToPath(new URL(name, root))))).toEqual([]);
});
