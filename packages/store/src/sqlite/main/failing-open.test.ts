import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const program = fileURLToPath(new URL('../testing/failing-open-program.ts', import.meta.url));

for (const mode of ['read-only', 'for writing']) {
  it(`leaves neither a thread nor a lock behind when a database cannot be opened ${mode}`, () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'roster.db'), 'this is no database'.repeat(1_000));
    const output = execFileSync(process.execPath, [program, directory, mode], {
      encoding: 'utf8',
      timeout: 30_000,
    });
    const [first, second] = output.split('\n');
    expect(first).toContain('is not one of SQLite');
    expect(second).toBe(first);
  });
}
