import { randomBytes } from 'node:crypto';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { idOf, type Segment } from './segment.ts';

/** Small enough to copy for a single change, and few enough partitions to stay in the processor cache. */
const idsPerPartition = 512;

/** With more, all of them are split, which takes a tenth of a second at a million. */
const mostIdsPerPartition = 4 * idsPerPartition;
const minCapacity = 8;

/** Random, so that nobody can craft colliding ids. */
const seed = randomBytes(4).readUInt32LE();

/**
 * Finds the place of a resource by its id. Partitions by hash, each a small open-addressing table of (hash, slot + 1)
 * pairs; `IdIndexBuilder` copies a partition before changing it.
 */
export class IdIndex {
  static readonly empty = new IdIndex([emptyPartition(minCapacity)], 0);

  readonly partitions: readonly Partition[];
  readonly size: number;

  constructor(partitions: readonly Partition[], size: number) {
    this.partitions = partitions;
    this.size = size;
  }

  /** The place of the resource, or -1. */
  find(id: string, segments: readonly Segment[]): number {
    const hash = hashId(id);
    const partition = this.partitions[hash & (this.partitions.length - 1)]!;
    return partition.table[positionOf(partition, hash, id, segments) + 1]! - 1;
  }
}

interface Partition {
  readonly table: Uint32Array;
  count: number;
}

export class IdIndexBuilder {
  readonly #base: IdIndex;
  /** Those of the base until one of them is changed. */
  #partitions: Partition[];
  /** Partitions made by this builder, which it may change. */
  #owned: Set<Partition> = new Set();
  #size: number;

  constructor(base: IdIndex, expectedSize: number) {
    this.#base = base;
    this.#size = base.size;
    this.#partitions = base.partitions as Partition[];
    this.#makeRoomFor(expectedSize);
  }

  /** Maps `id` to `slot` unless it has a place. Returns that place, or -1. */
  add(id: string, slot: number, segments: readonly Segment[]): number {
    this.#makeRoomFor(this.#size);
    const hash = hashId(id);
    const at = hash & (this.#partitions.length - 1);
    const partition = this.#partitions[at]!;
    const position = positionOf(partition, hash, id, segments);
    const place = partition.table[position + 1]! - 1;
    if (place !== -1) return place;
    this.#size++;
    const inserted = this.#insert(this.#own(at), position, hash, slot);
    this.#partitions[at] = inserted;
    return -1;
  }

  /** Maps `id`, which has a place, to another one. */
  move(id: string, slot: number, segments: readonly Segment[]): void {
    const hash = hashId(id);
    const partition = this.#own(hash & (this.#partitions.length - 1));
    partition.table[positionOf(partition, hash, id, segments) + 1] = slot + 1;
  }

  /** Returns the place it had, or -1. */
  remove(id: string, segments: readonly Segment[]): number {
    const hash = hashId(id);
    const partition = this.#own(hash & (this.#partitions.length - 1));
    const position = positionOf(partition, hash, id, segments);
    const before = partition.table[position + 1]!;
    if (before === 0) return -1;
    closeGap(partition.table, position);
    partition.count--;
    this.#size--;
    return before - 1;
  }

  /** Maps every id to the new place of its old one, and frees spare room. */
  async renumber(newPlaces: Uint32Array, slicer: TimeSlicer): Promise<void> {
    const { length } = this.#partitions;
    if (length > 1 && this.#size * 8 < length * idsPerPartition) this.#split(this.#size);
    for (let at = 0; at < this.#partitions.length; at++) {
      const { table } = this.#own(at);
      for (let position = 0; position < table.length; position += 2) {
        const place = table[position + 1]!;
        if (place !== 0) table[position + 1] = newPlaces[place - 1]! + 1;
      }
      if (slicer.isDue) await slicer.pause();
    }
  }

  finish(): IdIndex {
    if (this.#partitions === this.#base.partitions) return this.#base;
    return new IdIndex(this.#partitions, this.#size);
  }

  #own(at: number): Partition {
    const partition = this.#partitions[at]!;
    if (this.#owned.has(partition)) return partition;
    if (this.#partitions === this.#base.partitions) this.#partitions = this.#base.partitions.slice();
    const copy = { table: partition.table.slice(), count: partition.count };
    this.#partitions[at] = copy;
    this.#owned.add(copy);
    return copy;
  }

  #insert(partition: Partition, position: number, hash: number, slot: number): Partition {
    partition.table[position] = hash;
    partition.table[position + 1] = slot + 1;
    partition.count++;
    if (partition.count * 3 <= partition.table.length) return partition;
    const grown = grow(partition);
    this.#owned.add(grown);
    return grown;
  }

  #makeRoomFor(size: number): void {
    if (size > this.#partitions.length * mostIdsPerPartition) this.#split(size);
  }

  /** Makes enough partitions for `expectedSize` ids. */
  #split(expectedSize: number): void {
    let count = 1;
    while (count * idsPerPartition < expectedSize) count *= 2;
    const old = this.#partitions;
    this.#partitions = Array.from({ length: count }, () => emptyPartition(idsPerPartition * 2));
    this.#owned = new Set(this.#partitions);
    for (const { table } of old) {
      for (let from = 0; from < table.length; from += 2) {
        if (table[from + 1] === 0) continue;
        const at = table[from]! & (count - 1);
        const partition = this.#partitions[at]!;
        const position = freePosition(partition.table, table[from]!);
        this.#partitions[at] = this.#insert(partition, position, table[from]!, table[from + 1]! - 1);
      }
    }
  }
}

function emptyPartition(capacity: number): Partition {
  return { table: new Uint32Array(capacity * 2), count: 0 };
}

function grow({ table, count }: Partition): Partition {
  const grown = new Uint32Array(table.length * 2);
  for (let from = 0; from < table.length; from += 2) {
    if (table[from + 1] === 0) continue;
    const to = freePosition(grown, table[from]!);
    grown[to] = table[from]!;
    grown[to + 1] = table[from + 1]!;
  }
  return { table: grown, count };
}

function freePosition(table: Uint32Array, hash: number): number {
  let position = homeOf(table, hash);
  while (table[position + 1] !== 0) position = (position + 2) & (table.length - 1);
  return position;
}

/** The position of the id in the table, or the free one where it would go. */
function positionOf(partition: Partition, hash: number, id: string, segments: readonly Segment[]): number {
  const { table } = partition;
  const mask = table.length - 1;
  let position = homeOf(table, hash);
  for (;;) {
    const slot = table[position + 1]!;
    if (slot === 0) return position;
    if (table[position] === hash && idOf(segments, slot - 1) === id) return position;
    position = (position + 2) & mask;
  }
}

/** The low bits choose the partition, so the high ones choose the position in it. */
function homeOf(table: Uint32Array, hash: number): number {
  return ((hash >>> 16) << 1) & (table.length - 1);
}

/** Linear probing without tombstones: entries behind a removed one move up. */
function closeGap(table: Uint32Array, removed: number): void {
  const mask = table.length - 1;
  let gap = removed;
  let position = removed;
  for (;;) {
    position = (position + 2) & mask;
    if (table[position + 1] === 0) break;
    const home = homeOf(table, table[position]!);
    if (((position - home) & mask) < ((position - gap) & mask)) continue;
    table[gap] = table[position]!;
    table[gap + 1] = table[position + 1]!;
    gap = position;
  }
  table[gap] = 0;
  table[gap + 1] = 0;
}

/** FNV-1a over UTF-16 code units, with a final mix because both ends of the hash are used. */
function hashId(id: string): number {
  let hash = seed;
  for (let position = 0; position < id.length; position++) {
    hash = Math.imul(hash ^ id.charCodeAt(position), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
