import { allocatePages } from './row-memory.ts';

export const segmentBits = 12;
export const rowsPerSegment = 1 << segmentBits;
const rowMask = rowsPerSegment - 1;
const leastBytes = 1 << 12;

/** Rows that can be appended to a segment: those of another one, or of a feed. */
export interface RenderedRows {
  readonly ids: readonly string[];
  readonly displayNames: readonly string[];
  /** Where the part of each row's JSON begins that does not depend on the language, and where it ends. */
  readonly tails: Uint32Array;
  readonly ends: Uint32Array;
  readonly bytes: Buffer;
}

/**
 * Columns of up to 4096 resource versions. A slot, `segment << 12 | row`, names one version for good.
 * Rows are only ever appended, so snapshots share segments freely: an older one never looks past its own rows.
 */
export class Segment {
  ids: string[] = [];
  displayNames: string[] = [];
  readonly buckets = new Uint32Array(rowsPerSegment);
  /** Numbers in list order, 0 for a row that has none yet; see `labelBetween`. */
  readonly labels = new Float64Array(rowsPerSegment);
  /** Where each row's rendered JSON begins, a comma first; the entry behind the last row is where it ends. */
  readonly starts = new Uint32Array(rowsPerSegment + 1);
  readonly ends = this.starts.subarray(1);
  /** Where the part of the JSON that does not depend on the language begins. */
  readonly tails = new Uint32Array(rowsPerSegment);
  bytes: Buffer;

  /** `bytes` has room for what its rows are expected to take when rendered. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** A segment with memory of its own. */
  static expecting(bytes: number): Segment {
    return new Segment(allocatePages(Math.max(leastBytes, bytes)));
  }

  get rowCount(): number {
    return this.ids.length;
  }

  get isFull(): boolean {
    return this.ids.length === rowsPerSegment;
  }

  get usedBytes(): number {
    return this.starts[this.ids.length]!;
  }

  /** Appends a row from elsewhere; its JSON keeps its tail and gets `head` in front. */
  append(from: RenderedRows, fromRow: number, bucket: number, head: Buffer): number {
    const row = this.ids.length;
    const start = this.starts[row]!;
    const tailStart = start + head.length;
    const fromTail = from.tails[fromRow]!;
    const fromEnd = from.ends[fromRow]!;
    const end = tailStart + fromEnd - fromTail;
    this.#reserve(end);
    this.bytes.set(head, start);
    from.bytes.copy(this.bytes, tailStart, fromTail, fromEnd);
    this.tails[row] = tailStart;
    this.starts[row + 1] = end;
    this.buckets[row] = bucket;
    this.displayNames.push(from.displayNames[fromRow]!);
    this.ids.push(from.ids[fromRow]!);
    return row;
  }

  /** Names the rows whose other columns were written into this empty segment. */
  adopt(ids: string[], displayNames: string[]): void {
    this.ids = ids;
    this.displayNames = displayNames;
  }

  /**
   * Gives the rendered rows back at once instead of when garbage is next collected. For a segment that nobody reads
   * and that has memory of its own.
   */
  release(): void {
    (this.bytes.buffer as ArrayBuffer).transfer(0);
  }

  #reserve(size: number): void {
    if (size > this.bytes.length) this.#resize(Math.max(size, this.bytes.length * 2));
  }

  #resize(size: number): void {
    const resized = allocatePages(size);
    this.bytes.copy(resized, 0, 0, this.usedBytes);
    this.bytes = resized;
  }
}

export function segmentOf(segments: readonly Segment[], slot: number): Segment {
  return segments[slot >>> segmentBits]!;
}

export function rowOf(slot: number): number {
  return slot & rowMask;
}

export function labelOf(segments: readonly Segment[], slot: number): number {
  return segments[slot >>> segmentBits]!.labels[slot & rowMask]!;
}

export function displayNameOf(segments: readonly Segment[], slot: number): string {
  return segments[slot >>> segmentBits]!.displayNames[slot & rowMask]!;
}

export function idOf(segments: readonly Segment[], slot: number): string {
  return segments[slot >>> segmentBits]!.ids[slot & rowMask]!;
}

export function bucketOf(segments: readonly Segment[], slot: number): number {
  return segments[slot >>> segmentBits]!.buckets[slot & rowMask]!;
}

/** The order of every list: display name, then id, by UTF-16 code units. */
export function compareSlots(segments: readonly Segment[], a: number, b: number): number {
  const nameA = displayNameOf(segments, a);
  const nameB = displayNameOf(segments, b);
  if (nameA !== nameB) return nameA < nameB ? -1 : 1;
  const idA = idOf(segments, a);
  const idB = idOf(segments, b);
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}
