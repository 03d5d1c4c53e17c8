import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configurationSchema, renderSettings } from '../packages/server/src/settings/reference.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../docs/reference/${name}`, import.meta.url));
const page = pathOf('configuration.md');
const schema = pathOf('roster.schema.json');

/** Writes what the reference takes from the table of settings. */
const [before, after] = readFileSync(page, 'utf8').split(
  /(?<=<!-- settings:.*-->\n)[\s\S]*(?=<!-- end of settings)/,
);
writeFileSync(page, `${before}\n${renderSettings()}\n${after}`);
writeFileSync(schema, JSON.stringify(configurationSchema()));
execFileSync('biome', ['format', '--write', page, schema], { stdio: 'inherit' });
