import type { FileHandle } from 'node:fs/promises';
import type { Attributes } from '../../port/rendered-resources.ts';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { AttributeSets } from '../rows/attribute-sets.ts';
import { allResources } from '../rows/buckets.ts';
import { attributesOf, bucketOf, rowOf, rowsPerSegment, Segment, segmentOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import {
  checksumOf,
  lengthOf,
  piecesOf,
  type SavedBlock,
  type SavedContents,
  type SavedKind,
  snapshotFormat,
  trailerBytes,
} from './snapshot-format.ts';

const rowsBetweenChecks = 64;

export interface WriteSnapshotOptions {
  /** The version of Roster. */
  readonly writtenBy: string;
  readonly slicer: TimeSlicer;
  /** Aborted when the file is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Writes a snapshot in list order, so it needs no sorting when it is read. */
export async function writeSnapshot(
  snapshot: Snapshot,
  file: FileHandle,
  { writtenBy, slicer, signal }: WriteSnapshotOptions,
): Promise<void> {
  const all = snapshot.list(allResources);
  const { kinds, numbers } = usedKinds(snapshot);
  const attributes = new UsedAttributes(snapshot.attributes);
  const blocks: SavedBlock[] = [];
  for (let rank = 0; rank < all.size; rank += rowsPerSegment) {
    const slots = new Uint32Array(Math.min(rowsPerSegment, all.size - rank));
    all.copy(rank, slots.length, slots);
    snapshot.versions.resolve(slots, slots.length);
    const segment = await gather(snapshot, slots, { numbers, attributes }, slicer);
    blocks.push(await writeBlock(file, segment));
    segment.release();
    signal.throwIfAborted();
  }
  const contents: SavedContents = {
    format: snapshotFormat,
    writtenBy,
    head: snapshot.head,
    kinds,
    attributes: attributes.used.map(({ sku, gpuModel, labels }) => ({ sku, gpuModel, labels })),
    blocks,
  };
  const text = Buffer.from(JSON.stringify(contents));
  const trailer = Buffer.alloc(trailerBytes);
  trailer.writeUInt32LE(text.length);
  trailer.writeUInt32LE(checksumOf([text]), 4);
  await writeAll(file, [text, trailer]);
}

/** The kinds that have resources, and their new numbers by bucket. */
function usedKinds({ buckets, lists }: Snapshot): { kinds: SavedKind[]; numbers: number[] } {
  const kinds: SavedKind[] = [];
  const numbers: number[] = [];
  for (const { typeKey, product, alertable, state, hasRules, label, ownList } of buckets.values()) {
    const rows = lists[ownList]?.size ?? 0;
    numbers.push(kinds.length);
    if (rows > 0) kinds.push({ typeKey, product, alertable, state, hasRules, label, rows });
  }
  return { kinds, numbers };
}

/** Renumbers the attributes that resources still have. */
class UsedAttributes {
  readonly used: Attributes[] = [];
  readonly #all: AttributeSets;
  /** By old number. */
  readonly #numbers: number[] = [];

  constructor(all: AttributeSets) {
    this.#all = all;
  }

  numberOf(old: number): number {
    this.#numbers[old] ??= this.used.push(this.#all.at(old)) - 1;
    return this.#numbers[old];
  }
}

interface SavedNumbers {
  /** By bucket. */
  readonly numbers: readonly number[];
  readonly attributes: UsedAttributes;
}

async function gather(
  snapshot: Snapshot,
  slots: Uint32Array,
  { numbers, attributes }: SavedNumbers,
  slicer: TimeSlicer,
): Promise<Segment> {
  const { segments, buckets } = snapshot;
  let bytes = 0;
  for (const slot of slots) {
    const { starts, ends } = segmentOf(segments, slot);
    bytes += ends[rowOf(slot)]! - starts[rowOf(slot)]!;
  }
  const gathered = Segment.expecting(bytes);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const bucket = bucketOf(segments, slot);
    gathered.append(segmentOf(segments, slot), rowOf(slot), {
      bucket: numbers[bucket]!,
      attributes: attributes.numberOf(attributesOf(segments, slot)),
      rowStart: buckets.at(bucket).rowStart,
    });
    if ((at + 1) % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  return gathered;
}

async function writeBlock(file: FileHandle, segment: Segment): Promise<SavedBlock> {
  const names = Buffer.from(JSON.stringify([segment.ids, segment.displayNames]));
  const sizes = { rows: segment.rowCount, nameBytes: names.length, rowBytes: segment.usedBytes };
  const pieces = piecesOf(segment, names, sizes);
  await writeAll(file, pieces);
  return { ...sizes, checksum: checksumOf(pieces) };
}

async function writeAll(file: FileHandle, pieces: Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(pieces);
  // The next write would show the reason, nearly always a full disk.
  if (bytesWritten < lengthOf(pieces)) throw new Error('the snapshot was only partly written');
}
