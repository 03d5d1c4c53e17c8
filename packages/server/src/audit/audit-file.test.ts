import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AuditFile } from './audit-file.ts';

function start() {
  const root = mkdtempSync(path.join(os.tmpdir(), 'roster-audit-file-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const directory = path.join(root, 'audit');
  mkdirSync(directory);
  const file = path.join(directory, 'audit.jsonl');
  return { root, directory, file };
}

function openFile(file: string) {
  const audit = new AuditFile(file);
  onTestFinished(() => audit.close());
  const write = (line: string): string | undefined => {
    let code: string | undefined;
    audit.write(line, (error) => {
      code = (error as NodeJS.ErrnoException | undefined)?.code;
    });
    return code;
  };
  return { audit, write };
}

it('is made again after it was deleted, as soon as its directory is there', () => {
  const { directory, file } = start();
  const { write } = openFile(file);
  expect(write('a\n')).toBeUndefined();
  rmSync(file);
  expect(write('b\n')).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('b\n');
  rmSync(directory, { recursive: true });
  expect(write('c\n')).toBe('ENOENT');
  mkdirSync(directory);
  expect(write('d\n')).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('d\n');
});

it('goes on where it was moved to until it is opened anew, and until that is possible', () => {
  const { root, directory, file } = start();
  const { audit, write } = openFile(file);
  const moved = path.join(root, 'moved');
  renameSync(directory, moved);
  expect(write('a\n')).toBeUndefined();
  audit.reopen();
  expect(write('b\n')).toBeUndefined();
  mkdirSync(directory);
  expect(write('c\n')).toBeUndefined();
  expect(readFileSync(path.join(moved, 'audit.jsonl'), 'utf8')).toBe('a\nb\n');
  expect(readFileSync(file, 'utf8')).toBe('c\n');
});

it('does not wait for whoever reads a pipe', () => {
  const { file } = start();
  execFileSync('mkfifo', [file]);
  expect(() => new AuditFile(file)).toThrow('ENXIO');
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const { write } = openFile(file);
  const line = `${'x'.repeat(1_000)}\n`;
  for (let count = 0; count < 60; count++) expect(write(line)).toBeUndefined();
  for (let count = 0; count < 60; count++) write(line);
  expect(write(line)).toBe('EAGAIN');
});
