import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../bin/roster-server.js', import.meta.url));

it.each(['--help', '--host=0.0.0.0', 'serve'])('refuses %s instead of ignoring it', (argument) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, argument], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^roster: this program takes no arguments; .*roster serve --help\n$/);
});
