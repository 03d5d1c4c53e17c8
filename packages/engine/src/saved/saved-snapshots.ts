import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type StationAddress, stationKey } from '@roster/contract';
import type { LabelOf } from '../snapshot/buckets.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TimeSlicer } from '../snapshot/time-slicer.ts';
import { readSnapshot } from './read-snapshot.ts';
import { writeSnapshot } from './write-snapshot.ts';

const unfinishedSuffix = '.unfinished';
const ownNames = /^[0-9a-f]{64}\.snapshot(\.unfinished)?$/;

/** Its columns of numbers, its id and its display name. */
const expectedBytesBesideRow = 128;

export interface SavedSnapshotsOptions {
  /** It is made when it is first needed. What others keep in it is left alone. */
  readonly directory: string;
  /** The version of Roster. */
  readonly writtenBy: string;
  /** Nothing is lost by it. A file that is damaged will be removed. */
  readonly onUnreadable: (address: StationAddress, error: unknown) => void;
}

export interface SaveOptions {
  readonly slicer: TimeSlicer;
  readonly signal: AbortSignal;
}

/**
 * Files with one snapshot for each large station, so that it need not be read from the store and laid out after a start.
 * They are worth nothing by themselves: whoever loads one asks the store what has changed since, and reads the station
 * anew when that is not known.
 */
export class SavedSnapshots {
  readonly #options: SavedSnapshotsOptions;
  /** Those under way, by their file. */
  readonly #saves = new Map<string, AbortController>();

  constructor(options: SavedSnapshotsOptions) {
    this.#options = options;
  }

  /** Undefined when there is none that can be read. */
  async load(address: StationAddress, labelOf: LabelOf): Promise<Snapshot | undefined> {
    try {
      // Nobody may ever write to a pipe in its place.
      await using file = await open(this.#fileOf(address), constants.O_RDONLY | constants.O_NONBLOCK);
      const { writtenBy } = this.#options;
      return await readSnapshot(file, { writtenBy, labelOf });
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      this.#options.onUnreadable(address, error);
      // Where the system has refused to read, there may be nothing wrong with the file.
      if (syscall === undefined) await this.remove(address).catch(() => undefined);
      return undefined;
    }
  }

  /**
   * In place of the one before, which stays until the new one is complete. Saves of one station follow one another. One
   * that is aborted leaves no new file behind, however late; nor does one whose file is removed meanwhile.
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

  /** Also what is being saved of it. */
  async remove(address: StationAddress): Promise<void> {
    const file = this.#fileOf(address);
    this.#saves.get(file)?.abort();
    await rm(file, { force: true, recursive: true });
  }

  /** Removes what is left of other stations, and of saves that did not come to their end; nothing that is not its own. */
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

  /** The database needs the disk more: at least as much as a file takes has to be free after it. */
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
