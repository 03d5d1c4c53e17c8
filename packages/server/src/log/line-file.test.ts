import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LineFile } from './line-file.ts';

it('begins a new line after one that was written in part', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-lines-'));
  const pipe = path.join(directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => {
    for (const file of [reader, writer]) closeSync(file);
    rmSync(directory, { recursive: true });
  });
  const taken = Buffer.alloc(2 ** 20);
  const read = () => taken.toString('utf8', 0, readSync(reader, taken));
  const lines = new LineFile(writer);

  // More than a pipe holds, and nobody reads.
  expect(() => lines.append(`${'x'.repeat(100_000)}\n`)).toThrow('EAGAIN');
  expect(() => lines.append('lost\n')).toThrow('EAGAIN');
  expect(read()).toMatch(/^x+$/);
  lines.append('first\n');
  lines.append('second\n');
  expect(read()).toBe('\nfirst\nsecond\n');
  expect(lines.appended).toBe(1);

  expect(() => lines.append('a line\n'.repeat(20_000))).toThrow('EAGAIN');
  expect(lines.appended).toBe(read().split('\n').length - 1);
});
