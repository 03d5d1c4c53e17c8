import { readFile } from 'node:fs/promises';
import { Check } from 'typebox/schema';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configurationSchema, renderSettings } from './reference.ts';
import { namedSettings } from './setting-names.ts';

const read = (name: string) =>
  readFile(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8');

it('describes every setting; npm run docs writes it anew', async () => {
  const page = await read('configuration.md');
  expect(page).toContain(`-->\n\n${renderSettings()}\n<!--`);
  for (const { key } of namedSettings) expect(page).toContain(`### \`${key}\`\n`);
});

it('has the schema for editors as it is; npm run docs writes it anew', async () => {
  expect(JSON.parse(await read('roster.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(configurationSchema())),
  );
});

it('has a schema that accepts the example, and refuses what the server refuses', async () => {
  const schema = JSON.parse(await read('roster.schema.json'));
  const [, example] = /```yaml\n(host:[\s\S]*?)```/.exec(await read('configuration.md'))!;
  expect(Check(schema, parse(example!))).toBe(true);
  for (const wrong of [
    { prot: 1 },
    { port: '1' },
    { port: null },
    { database: { pol: 4 } },
    { auth: true },
  ]) {
    expect([wrong, Check(schema, wrong)]).toEqual([wrong, false]);
  }
  for (const right of [
    {},
    { database: null },
    { database: { urlFile: '/x' } },
    { allowedHosts: ['a.test'] },
  ]) {
    expect([right, Check(schema, right)]).toEqual([right, true]);
  }
});
