import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningRoster, startRoster } from './testing/start-roster.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1]!);
const index = new URL('./index.ts', import.meta.url).href;
const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-readme-'));
let roster: RunningRoster;

beforeAll(async () => {
  roster = await startRoster({ ROSTER_SAMPLE: 'true' });
});

afterAll(async () => {
  await roster.stop();
  rmSync(directory, { recursive: true });
});

async function run(example: string, name: string): Promise<string> {
  const file = path.join(directory, `${name}.ts`);
  const text = example.replaceAll('http://localhost:8080', roster.url);
  writeFileSync(file, text.replaceAll("'@roster/client'", `'${index}'`));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return stdout;
}

const expectedOutputs = [
  /has no alert rules/,
  /^20 of \d+\n\d+\n$/,
  /^\d{3,}\n$/,
  /^$/,
  /^$/,
  /^2 new, 0 changed, 0 removed\n$/,
  /\d+ of \d+ have no alert rules\nresource_id,name,[\s\S]+read on later from \w+\.\d+\n$/,
  /^\d{4} resources at \w+\.\d+\n$/,
];

describe('the README', () => {
  it('has an expectation for every example', () => {
    expect(examples).toHaveLength(expectedOutputs.length);
  });

  it.each(expectedOutputs.map((output, at) => [at + 1, output] as const))(
    'has an example %i that runs as it stands',
    async (number, output) => {
      expect(await run(examples[number - 1]!, `example-${number}`)).toMatch(output);
    },
  );
});
