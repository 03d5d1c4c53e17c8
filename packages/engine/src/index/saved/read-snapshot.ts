import type { FileHandle } from 'node:fs/promises';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { ListFiller } from '../build/list-filler.ts';
import { orderKeyGap } from '../build/order-keys.ts';
import { AttributeSets } from '../rows/attribute-sets.ts';
import { Buckets, type LabelOf } from '../rows/buckets.ts';
import { IdIndex, IdIndexBuilder } from '../rows/id-index.ts';
import { RowMemory } from '../rows/row-memory.ts';
import { rowsPerSegment, Segment } from '../rows/segment.ts';
import { Versions } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import {
  checksumOf,
  lengthOf,
  piecesOf,
  type SavedBlock,
  type SavedContents,
  sizeOf,
  snapshotFormat,
  trailerBytes,
} from './snapshot-format.ts';

const rowsBetweenChecks = 512;

export interface ReadSnapshotOptions {
  /** The version of Roster; files of other versions are not read. */
  readonly writtenBy: string;
  /** For types without a resource in the snapshot; others keep the label they were rendered with. */
  readonly labelOf: LabelOf;
}

/** Undefined if another version wrote the file. Throws if the file is damaged. */
export async function readSnapshot(
  file: FileHandle,
  { writtenBy, labelOf }: ReadSnapshotOptions,
): Promise<Snapshot | undefined> {
  const contents = await readContents(file);
  if (contents.format !== snapshotFormat || contents.writtenBy !== writtenBy) return undefined;
  const slicer = new TimeSlicer();
  const restored = new RestoredSnapshot(contents, await restoreBuckets(contents, labelOf, slicer));
  const memory = new RowMemory(contents.blocks.reduce((sum, { rowBytes }) => sum + rowBytes, 0));
  let position = 0;
  let reading: Promise<Segment> | undefined;
  for (const [at, block] of contents.blocks.entries()) {
    reading ??= readBlock(file, block, { position, memory });
    const segment = await reading;
    position += sizeOf(block);
    const next = contents.blocks[at + 1];
    reading = next && readBlock(file, next, { position, memory });
    // Awaited after the pauses of `add`; it may fail before.
    reading?.catch(() => undefined);
    await restored.add(segment, slicer);
  }
  return restored.finish(slicer);
}

async function readContents(file: FileHandle): Promise<SavedContents> {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error('it is not a regular file');
  const { size } = stats;
  const trailer = Buffer.alloc(trailerBytes);
  await readAll(file, [trailer], Math.max(0, size - trailerBytes));
  const length = trailer.readUInt32LE();
  if (length === 0 || length > size - trailerBytes) throw damaged();
  const text = Buffer.alloc(length);
  await readAll(file, [text], size - trailerBytes - length);
  if (checksumOf([text]) !== trailer.readUInt32LE(4)) throw damaged();
  return JSON.parse(text.toString()) as SavedContents;
}

interface BlockPlace {
  readonly position: number;
  readonly memory: RowMemory;
}

async function readBlock(
  file: FileHandle,
  block: SavedBlock,
  { position, memory }: BlockPlace,
): Promise<Segment> {
  const segment = new Segment(memory.take(block.rowBytes));
  const names = Buffer.alloc(block.nameBytes);
  const pieces = piecesOf(segment, names, block);
  await readAll(file, pieces, position);
  if (checksumOf(pieces) !== block.checksum) throw damaged();
  const [ids, displayNames] = JSON.parse(names.toString()) as [string[], string[]];
  segment.adopt(ids, displayNames);
  return segment;
}

async function readAll(file: FileHandle, pieces: Uint8Array[], position: number): Promise<void> {
  const { bytesRead } = await file.readv(pieces, position);
  if (bytesRead < lengthOf(pieces)) throw damaged();
}

/** With the numbers that the rows refer to. */
async function restoreBuckets(
  { kinds }: SavedContents,
  labelOf: LabelOf,
  slicer: TimeSlicer,
): Promise<Buckets> {
  const labels = new Map(kinds.map(({ typeKey, label }) => [typeKey, label]));
  const buckets = new Buckets((typeKey) => labels.get(typeKey) ?? labelOf(typeKey));
  for (const kind of kinds) {
    buckets.numberOf(kind);
    if (slicer.isDue) await slicer.pause();
  }
  return buckets;
}

class RestoredSnapshot {
  readonly #contents: SavedContents;
  readonly #buckets: Buckets;
  readonly #attributes = new AttributeSets();
  readonly #lists: ListFiller;
  readonly #ids: IdIndexBuilder;
  readonly #segments: Segment[] = [];
  readonly #gap: number;

  constructor(contents: SavedContents, buckets: Buckets) {
    this.#contents = contents;
    this.#buckets = buckets;
    for (const each of contents.attributes) this.#attributes.numberOf(each);
    const rowsByBucket = contents.kinds.map(({ rows }) => rows);
    const size = rowsByBucket.reduce((sum, rows) => sum + rows, 0);
    this.#lists = new ListFiller(buckets, rowsByBucket);
    this.#ids = new IdIndexBuilder(IdIndex.empty, size);
    this.#gap = orderKeyGap(size);
  }

  async add(segment: Segment, slicer: TimeSlicer): Promise<void> {
    const { ids, orderKeys, buckets } = segment;
    const firstSlot = this.#segments.length * rowsPerSegment;
    this.#segments.push(segment);
    for (let row = 0; row < ids.length; row++) {
      const slot = firstSlot + row;
      orderKeys[row] = this.#gap * (slot + 1);
      this.#ids.add(ids[row]!, slot, this.#segments);
      this.#lists.add(slot, this.#buckets.at(buckets[row]!).lists);
      if ((row + 1) % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
    }
  }

  async finish(slicer: TimeSlicer): Promise<Snapshot> {
    return new Snapshot({
      head: this.#contents.head,
      segments: this.#segments,
      buckets: this.#buckets,
      attributes: this.#attributes,
      lists: await this.#lists.finish(this.#segments, slicer),
      ids: this.#ids.finish(),
      versions: Versions.none,
      changedRows: Number.POSITIVE_INFINITY,
    });
  }
}

function damaged(): Error {
  return new Error('the file is damaged');
}
