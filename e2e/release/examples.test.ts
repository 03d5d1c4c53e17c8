import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

const unit = fileURLToPath(new URL('../../docs/examples/roster.service', import.meta.url));
const isInstalled = spawnSync('systemd-analyze', ['--version']).status === 0;
/** Of ten; services that were not hardened have 9.6. */
const maxExposure = 2;

it.skipIf(!isInstalled)('has a unit that systemd finds no fault with, and little to be exposed', () => {
  const copy = join(temporaryDirectory(), 'roster.service');
  const started = `ExecStart=${process.execPath} `;
  writeFileSync(copy, readFileSync(unit, 'utf8').replace('ExecStart=/opt/roster/bin/node ', started));
  const verified = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
  expect([verified.status, verified.stderr]).toEqual([0, '']);
  const words = ['security', '--offline=true', '--no-pager', copy];
  const report = execFileSync('systemd-analyze', words, { encoding: 'utf8' });
  expect(Number(/exposure level for \S+ (\d+\.\d+)/.exec(report)![1])).toBeLessThanOrEqual(maxExposure);
});
