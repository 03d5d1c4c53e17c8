import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const directory = fileURLToPath(new URL('../../results/', import.meta.url));

/** Writes `bench/results/<time>.json` and returns its path. */
export function writeResults(startedAt: Date, results: object): string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${startedAt.toISOString().replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify(results, null, 2)}\n`);
  return path;
}
