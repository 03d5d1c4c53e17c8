import { randomBytes } from 'node:crypto';
import { RosterError, type StationAddress, stationKey } from '@roster/contract';
import { buildSnapshot, emptySnapshot } from '../index/build/build-snapshot.ts';
import type { LabelOf } from '../index/rows/buckets.ts';
import { rowIdIn } from '../index/rows/row-id.ts';
import { searchBytes } from '../index/search/search-bytes.ts';
import type { StationMatch } from '../index/search/station-match.ts';
import type { Snapshot } from '../index/snapshot.ts';
import { RenderedResources } from '../port/rendered-resources.ts';
import { sizeOfPart } from '../port/station-part.ts';
import type { FeedChunk, Head, Station, StationPart, Store } from '../port/store.ts';
import { asRows, splitByPart } from './rows-of-station.ts';

export interface PartViewOptions {
  readonly store: Store;
  readonly labelOf: LabelOf;
}

interface HeldStation {
  readonly head: Head;
  /** Of its rows. */
  readonly ids: ReadonlySet<string>;
}

type HeldStations = Map<string, HeldStation>;

/** Stations with more resources in the part are followed change by change; others are read again, many at once. */
const maxReadAgain = 500;
const maxReadAtOnce = 1000;
const maxStationsAtOnce = 200;

/** After this many changes, even a large part is read again. */
const maxFollowedChanges = 8192;

/** In the set of ids of its station. */
const bytesPerHeldId = 50;

const noResources = RenderedResources.of([]);

/**
 * A part of many stations in one snapshot. Snapshots of each would take far more memory, and a search would have to look
 * into all of them.
 */
export class PartView {
  readonly #part: StationPart;
  readonly #options: PartViewOptions;
  readonly #epoch = randomBytes(8).toString('hex');
  #builds = 0;
  #snapshot: Snapshot;
  #held: HeldStations = new Map();
  #lastUpdate: Promise<unknown> = Promise.resolve();
  /** What it was brought up to. As long as nothing changes, it is asked for the same: looking at thousands takes time. */
  #upTo = new WeakSet<readonly Station[]>();

  constructor(part: StationPart, options: PartViewOptions) {
    this.#part = part;
    this.#options = options;
    this.#snapshot = emptySnapshot(this.#nextHead(), options.labelOf);
  }

  get size(): number {
    return this.#snapshot.size;
  }

  get estimatedBytes(): number {
    return this.#snapshot.estimatedBytes + searchBytes(this.#snapshot) + this.size * bytesPerHeldId;
  }

  /** The snapshot, if it was brought up to these very stations before. */
  ifUpTo(stations: readonly Station[]): Snapshot | undefined {
    return this.#upTo.has(stations) ? this.#snapshot : undefined;
  }

  /** Takes in all stations that match, which are these. What it has of others may be outdated. */
  async bringUpTo(stations: readonly Station[], match: StationMatch): Promise<Snapshot> {
    const update = this.#lastUpdate.then(() => this.#update(stations, match));
    this.#lastUpdate = update.catch(() => undefined);
    const snapshot = await update;
    this.#upTo.add(stations);
    return snapshot;
  }

  async #update(stations: readonly Station[], match: StationMatch): Promise<Snapshot> {
    const moved = stations.filter((station) => !this.#isCurrent(station));
    const keys = new Set(stations.map(({ address }) => stationKey(address)));
    const isGone = (key: string) => !keys.has(key) && match.isWantedKey(key);
    const gone = [...this.#held.keys()].filter(isGone);
    if (moved.length === 0 && gone.length === 0) return this.#snapshot;
    // The stations are noted when all of them are read: a failure must leave nothing half done.
    const held = new Map(this.#held);
    const more = moved.reduce((sum, { counts }) => sum + sizeOfPart(this.#part, counts), 0);
    const feed = {
      head: this.#nextHead(),
      size: this.#snapshot.size + more,
      chunks: this.#changes(moved, gone, held),
    };
    this.#snapshot = await buildSnapshot(this.#snapshot, feed, this.#options.labelOf);
    this.#held = held;
    // Those who asked with an older list may miss stations that newer ones have.
    if (gone.length > 0) this.#upTo = new WeakSet();
    return this.#snapshot;
  }

  #isCurrent({ address, head, counts }: Station): boolean {
    const held = this.#held.get(stationKey(address));
    if (held === undefined) return sizeOfPart(this.#part, counts) === 0;
    // A later one may be of a history that has lost its tail.
    return held.head.epoch === head.epoch && held.head.revId === head.revId;
  }

  async *#changes(
    moved: readonly Station[],
    gone: readonly string[],
    held: HeldStations,
  ): AsyncGenerator<FeedChunk> {
    for (const key of gone) yield forget(key, held);
    const isSmall = ({ counts }: Station) => sizeOfPart(this.#part, counts) <= maxReadAgain;
    for (const group of this.#groups(moved.filter(isSmall))) yield* this.#readAgain(group, held);
    for (const { address } of moved.filter((station) => !isSmall(station))) {
      yield* this.#readLarge(address, held);
    }
  }

  *#groups(stations: readonly Station[]): Generator<StationAddress[]> {
    let group: StationAddress[] = [];
    let size = 0;
    for (const { address, counts } of stations) {
      group.push(address);
      size += sizeOfPart(this.#part, counts);
      if (group.length < maxStationsAtOnce && size < maxReadAtOnce) continue;
      yield group;
      group = [];
      size = 0;
    }
    if (group.length > 0) yield group;
  }

  async *#readAgain(addresses: readonly StationAddress[], held: HeldStations): AsyncGenerator<FeedChunk> {
    const unread = new Set(addresses.map(stationKey));
    for (const { address, head, resources } of await this.#options.store.readParts(addresses, this.#part)) {
      const key = stationKey(address);
      unread.delete(key);
      const put = asRows(resources, key);
      const ids = new Set(put.columns.ids);
      const removed = [...(held.get(key)?.ids ?? [])].filter((id) => !ids.has(id));
      held.set(key, { head, ids });
      yield { put, removed };
    }
    // Deleted since the search began.
    for (const key of unread) yield forget(key, held);
  }

  async *#readLarge(address: StationAddress, held: HeldStations): AsyncGenerator<FeedChunk> {
    try {
      const changes = await this.#changesSince(address, held);
      if (changes !== undefined) yield* changes;
      else yield* this.#readWhole(address, held);
    } catch (error) {
      if (!isCode(error, 'station_not_found')) throw error;
      yield forget(stationKey(address), held);
    }
  }

  /** Undefined when they are unknown or too many. */
  async #changesSince(address: StationAddress, held: HeldStations): Promise<FeedChunk[] | undefined> {
    const key = stationKey(address);
    const before = held.get(key);
    if (before === undefined) return undefined;
    try {
      const { head, chunks } = await this.#options.store.feed(address, before.head);
      const changes: FeedChunk[] = [];
      const ids = new Set(before.ids);
      let count = 0;
      for await (const { put, removed } of chunks) {
        count += put.length + removed.length;
        if (count > maxFollowedChanges) return undefined;
        const { within, outside } = splitByPart(put, key, this.#part);
        const left = [...outside, ...removed.map((id) => rowIdIn(key, id))];
        for (const id of left) ids.delete(id);
        for (const id of within.columns.ids) ids.add(id);
        changes.push({ put: within, removed: left });
      }
      held.set(key, { head, ids });
      return changes;
    } catch (error) {
      if (isCode(error, 'revision_expired')) return undefined;
      throw error;
    }
  }

  async *#readWhole(address: StationAddress, held: HeldStations): AsyncGenerator<FeedChunk> {
    const key = stationKey(address);
    const { head, chunks } = await this.#options.store.feed(address, undefined, this.#part);
    const ids = new Set<string>();
    for await (const { put } of chunks) {
      const rows = asRows(put, key);
      for (const id of rows.columns.ids) ids.add(id);
      yield { put: rows, removed: [] };
    }
    const removed = [...(held.get(key)?.ids ?? [])].filter((id) => !ids.has(id));
    held.set(key, { head, ids });
    yield { put: noResources, removed };
  }

  #nextHead(): Head {
    return { epoch: this.#epoch, number: this.#builds++, revId: randomBytes(8).toString('hex') };
  }
}

function forget(key: string, held: HeldStations): FeedChunk {
  const removed = [...(held.get(key)?.ids ?? [])];
  held.delete(key);
  return { put: noResources, removed };
}

function isCode(error: unknown, code: RosterError['code']): boolean {
  return error instanceof RosterError && error.code === code;
}
