import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { resourceTailFields } from '@roster/contract';
import type { Attributes, Kind } from '../../port/rendered-resources.ts';
import type { Head } from '../../port/store.ts';
import type { Segment } from '../rows/segment.ts';

/**
 * Blocks of up to `rowsPerSegment` rows in list order, each with the columns of a segment as in memory; then
 * the contents as JSON; then their length and checksum.
 */
export const snapshotFormat = `roster snapshot 2, ${endianness()}: ${resourceTailFields.join(' ')}`;

export interface SavedContents {
  readonly format: string;
  /** The version of Roster; each may render rows differently. */
  readonly writtenBy: string;
  readonly head: Head;
  /** In the order of the bucket numbers in the rows. */
  readonly kinds: readonly SavedKind[];
  /** In the order of their numbers in the rows. */
  readonly attributes: readonly Attributes[];
  readonly blocks: readonly SavedBlock[];
}

export interface SavedKind extends Kind {
  readonly label: string;
  readonly rows: number;
}

export interface SavedBlock {
  readonly rows: number;
  /** The size of ids and display names as JSON. */
  readonly nameBytes: number;
  /** The size of the rendered rows. */
  readonly rowBytes: number;
  readonly checksum: number;
}

export const trailerBytes = 8;

/** The pieces of a block, in file order. */
export function piecesOf(segment: Segment, names: Buffer, { rows, rowBytes }: Omit<SavedBlock, 'checksum'>) {
  const { starts, tails, buckets, attributes, createdMs, stateSinceMs, ruleCounts, bytes } = segment;
  return [
    asBytes(starts.subarray(0, rows + 1)),
    asBytes(tails.subarray(0, rows)),
    asBytes(buckets.subarray(0, rows)),
    asBytes(attributes.subarray(0, rows)),
    asBytes(createdMs.subarray(0, rows)),
    asBytes(stateSinceMs.subarray(0, rows)),
    asBytes(ruleCounts.subarray(0, rows)),
    names,
    bytes.subarray(0, rowBytes),
  ];
}

/** The size of a block. */
export function sizeOf({ rows, nameBytes, rowBytes }: SavedBlock): number {
  const numberBytes =
    (4 * rows + 1) * Uint32Array.BYTES_PER_ELEMENT + 3 * rows * Float64Array.BYTES_PER_ELEMENT;
  return numberBytes + nameBytes + rowBytes;
}

export function checksumOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((checksum, piece) => crc32(piece, checksum), 0);
}

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function asBytes({ buffer, byteOffset, byteLength }: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
