import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('.', import.meta.url));

/** Every module that `file` needs at run time or as types, with what each imports from outside the client. */
function reachable(file: string, found = new Map<string, string[]>()): Map<string, string[]> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!);
  found.set(
    file,
    names.filter((name) => !name.startsWith('.')),
  );
  for (const name of names) {
    if (name.startsWith('.')) reachable(path.resolve(path.dirname(file), name), found);
  }
  return found;
}

describe('the client in a browser', () => {
  it('needs no module of Node.js, nor any other package', () => {
    const modules = reachable(path.join(source, 'index.ts'));
    expect(modules.size).toBeGreaterThan(15);
    expect([...modules.values()].flat()).toEqual([]);
  });

  it('uses nothing but what browsers have', async () => {
    const tsc = createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace('package.json', 'bin/tsc');
    const project = path.join(source, '../tsconfig.build.json');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project, '--noEmit']);
    expect(stdout).toBe('');
  });
});
