import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { countedWrites } from '../database/meta-table.ts';
import { privateMode } from './prepare-directory.ts';

/** How many writes were acknowledged, and in which boot of the machine, or `closed`. */
interface Mark {
  readonly writes: number;
  readonly run: string;
}

const closed = 'closed';
const countWidth = 16;
const runWidth = 36;
const lineWidth = countWidth + 1 + runWidth + 1;
const filesWidth = 64;

/**
 * A file beside the database that counts acknowledged writes. It is updated in place after each commit
 * without fsync: that takes microseconds and survives the process, though not a crash of the machine.
 */
export class WriteMark {
  readonly #directory: string;
  #fd: number | undefined;
  #writes: number | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  advance(writes: number): void {
    if (writes === this.#writes) return;
    this.#writes = writes;
    try {
      this.#fd ??= openMark(this.#directory);
      writeMark(this.#fd, { writes, run: runOfMachine() });
    } catch {
      // The write is durable; without the mark only its loss would go unnoticed.
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** Why acknowledged writes may be missing; undefined if none are. */
export function findLoss(db: DatabaseSync, directory: string): string | undefined {
  const writes = countedWrites(db);
  if (writes === undefined) return undefined;
  const mark = readMark(directory);
  if (mark === undefined) return 'roster.mark is missing';
  if (writes < mark.writes) return `${mark.writes - writes} acknowledged writes are missing`;
  const mayBeLost = mark.run !== closed && mark.run !== runOfMachine();
  return mayBeLost ? 'the machine went down while the database was open' : undefined;
}

/** Why a database that looks new has lost everything; undefined if it is new. Its log is missing, for example. */
export function findTotalLoss(directory: string): string | undefined {
  const writes = readMark(directory)?.writes ?? 0;
  return writes > 0 ? `all ${writes} acknowledged writes are missing` : undefined;
}

/** From now on a crash is noticed, and a database placed beside another's log. */
export function markOpened(directory: string, writes: number, files: string): void {
  putMark(directory, { writes, run: runOfMachine() }, files);
}

/** What `markOpened` last recorded, if known. */
export function markedFiles(directory: string): string | undefined {
  return readText(directory)?.split('\n')[1]?.trim() || undefined;
}

/** Whether the directory has had a database. */
export function hasMark(directory: string): boolean {
  return readText(directory) !== undefined;
}

/** Call it when everything is on disk. */
export function markClosed(directory: string, writes: number): void {
  putMark(directory, { writes, run: closed });
}

function putMark(directory: string, mark: Mark, files?: string): void {
  const fd = openMark(directory);
  try {
    writeMark(fd, mark);
    if (files !== undefined) writeSync(fd, `${files.padEnd(filesWidth)}\n`, lineWidth);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function openMark(directory: string): number {
  return openSync(fileIn(directory), constants.O_RDWR | constants.O_CREAT, privateMode);
}

/** Always the same length, so it overwrites the previous one entirely. */
function writeMark(fd: number, { writes, run }: Mark): void {
  writeSync(fd, `${String(writes).padStart(countWidth)} ${run.padEnd(runWidth)}\n`, 0);
}

function readMark(directory: string): Mark | undefined {
  const text = readText(directory);
  if (text === undefined) return undefined;
  return { writes: Number(text.slice(0, countWidth)), run: text.slice(countWidth + 1, lineWidth).trim() };
}

function readText(directory: string): string | undefined {
  try {
    return readFileSync(fileIn(directory), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileIn(directory: string): string {
  return join(directory, 'roster.mark');
}

let knownRun: string | undefined;

/** Without a boot id every process counts as its own boot. */
function runOfMachine(): string {
  knownRun ??= readBootId() ?? randomUUID();
  return knownRun;
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}
