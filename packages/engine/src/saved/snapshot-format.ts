import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { resourceTailFields } from '@roster/contract';
import type { Kind } from '../snapshot/buckets.ts';
import type { Segment } from '../snapshot/segment.ts';
import type { Head } from '../store.ts';

/**
 * A file holds blocks of up to `rowsPerSegment` rows in list order, each with the columns of a segment as they are in
 * memory; then its contents as JSON; then the length and the checksum of those.
 */
export const snapshotFormat = `roster snapshot 1, ${endianness()}: ${resourceTailFields.join(' ')}`;

export interface SavedContents {
  readonly format: string;
  /** The version of Roster, each of which may render rows in its own way. */
  readonly writtenBy: string;
  readonly head: Head;
  /** Where a row names its bucket by number, it is the one of the kind in that place. */
  readonly kinds: readonly SavedKind[];
  readonly blocks: readonly SavedBlock[];
}

export interface SavedKind extends Kind {
  readonly label: string;
  readonly rows: number;
}

export interface SavedBlock {
  readonly rows: number;
  /** What the ids and display names take, as JSON. */
  readonly nameBytes: number;
  /** What the rendered rows take. */
  readonly rowBytes: number;
  readonly checksum: number;
}

export const trailerBytes = 8;

/** A block as it stands in the file, one piece behind the other. */
export function piecesOf(segment: Segment, names: Buffer, { rows, rowBytes }: Omit<SavedBlock, 'checksum'>) {
  const { starts, tails, buckets, bytes } = segment;
  return [
    asBytes(starts.subarray(0, rows + 1)),
    asBytes(tails.subarray(0, rows)),
    asBytes(buckets.subarray(0, rows)),
    names,
    bytes.subarray(0, rowBytes),
  ];
}

/** What all pieces of a block take. */
export function sizeOf({ rows, nameBytes, rowBytes }: SavedBlock): number {
  return (3 * rows + 1) * Uint32Array.BYTES_PER_ELEMENT + nameBytes + rowBytes;
}

export function checksumOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((checksum, piece) => crc32(piece, checksum), 0);
}

export function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function asBytes({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
