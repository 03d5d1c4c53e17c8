import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type StationAddress, stationKey } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { LabelOf } from '../rows/buckets.ts';
import type { Snapshot } from '../snapshot.ts';
import { readSnapshot } from './read-snapshot.ts';
import { writeSnapshot } from './write-snapshot.ts';

const unfinishedSuffix = '.unfinished';
const ownNames = /^[0-9a-f]{64}\.snapshot(\.unfinished)?$/;

/** Its columns of numbers, its id and its display name. */
const expectedBytesBesideRow = 128;

export interface SavedSnapshotsOptions {
  /** Created on first use. Other files in it are left alone. */
  readonly directory: string;
  /** The version of Roster. */
  readonly writtenBy: string;
  /** Nothing is lost; a damaged file is removed. */
  readonly onUnreadable: (address: StationAddress, error: unknown) => void;
}

export interface SaveOptions {
  readonly slicer: TimeSlicer;
  readonly signal: AbortSignal;
}

/**
 * One file per large station with its snapshot: a start then need not read it from the store and sort it.
 * Measured: a cold start takes 0.6 instead of 1.1 s at 100k and 2.1 instead of 6.2 s at 1M. A file is only a
 * base; the store says what has changed since, or the station is read again.
 */
export class SavedSnapshots {
  readonly #options: SavedSnapshotsOptions;
  /** Saves in progress, by file. */
  readonly #saves = new Map<string, AbortController>();

  constructor(options: SavedSnapshotsOptions) {
    this.#options = options;
  }

  /** Undefined when there is no readable file. */
  async load(address: StationAddress, labelOf: LabelOf): Promise<Snapshot | undefined> {
    try {
      // A named pipe in its place would block without O_NONBLOCK.
      await using file = await open(this.#fileOf(address), constants.O_RDONLY | constants.O_NONBLOCK);
      const { writtenBy } = this.#options;
      return await readSnapshot(file, { writtenBy, labelOf });
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      this.#options.onUnreadable(address, error);
      // If the system refused to read, the file may be fine.
      if (syscall === undefined) await this.remove(address).catch(() => undefined);
      return undefined;
    }
  }

  /**
   * Replaces the previous file once the new one is complete. Saves of one station must not overlap. An
   * aborted save leaves no new file, nor does one whose file is removed meanwhile.
   */
  async save(address: StationAddress, snapshot: Snapshot, { slicer, signal }: SaveOptions): Promise<void> {
    const file = this.#fileOf(address);
    const removal = new AbortController();
    this.#saves.set(file, removal);
    try {
      await this.#write(file, snapshot, { slicer, signal: AbortSignal.any([signal, removal.signal]) });
    } catch (error) {
      if (!removal.signal.aborted) throw error;
    } finally {
      this.#saves.delete(file);
    }
  }

  /** Also aborts a save in progress. */
  async remove(address: StationAddress): Promise<void> {
    const file = this.#fileOf(address);
    this.#saves.get(file)?.abort();
    await rm(file, { force: true, recursive: true });
  }

  /** Removes files of other stations and unfinished saves, nothing else. */
  async keepOnly(addresses: readonly StationAddress[]): Promise<void> {
    const { directory } = this.#options;
    const kept = new Set(addresses.map((address) => path.basename(this.#fileOf(address))));
    for (const name of await readdir(directory).catch(() => [])) {
      const isOurs = ownNames.test(name);
      if (isOurs && !kept.has(name)) await rm(path.join(directory, name), { force: true, recursive: true });
    }
  }

  async #write(name: string, snapshot: Snapshot, options: SaveOptions): Promise<void> {
    const { directory, writtenBy } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o750 });
    await this.#requireRoom(snapshot);
    const unfinished = `${name}${unfinishedSuffix}`;
    try {
      await using file = await open(unfinished, 'w', 0o640);
      await writeSnapshot(snapshot, file, { ...options, writtenBy });
      await rename(unfinished, name);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    if (options.signal.aborted) await rm(name, { force: true });
    options.signal.throwIfAborted();
  }

  /** Leaves at least as much disk space free for the database as the file takes. */
  async #requireRoom({ segments }: Snapshot): Promise<void> {
    let bytes = 0;
    for (const { usedBytes, rowCount } of segments) bytes += usedBytes + rowCount * expectedBytesBesideRow;
    const { bavail, bsize } = await statfs(this.#options.directory);
    if (bavail * bsize < 2 * bytes) throw new Error('there is too little room on the disk');
  }

  #fileOf(address: StationAddress): string {
    const name = createHash('sha256').update(stationKey(address)).digest('hex');
    return path.join(this.#options.directory, `${name}.snapshot`);
  }
}
