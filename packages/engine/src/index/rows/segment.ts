import { allocatePages } from './row-memory.ts';

export const segmentBits = 12;
export const rowsPerSegment = 1 << segmentBits;
const rowMask = rowsPerSegment - 1;
const leastBytes = 1 << 12;

/** Rows to append to a segment, from another one or a feed. */
export interface RenderedRows {
  readonly ids: readonly string[];
  readonly displayNames: readonly string[];
  /** Where the part of each row's JSON that does not depend on the language begins and ends. */
  readonly tails: Uint32Array;
  readonly ends: Uint32Array;
  readonly bytes: Buffer;
  readonly createdMs: Float64Array;
  readonly stateSinceMs: Float64Array;
  readonly ruleCounts: Float64Array;
}

/** What a row shares with others. */
export interface RowKind {
  readonly bucket: number;
  readonly attributes: number;
  readonly rowStart: Buffer;
}

/**
 * Columns of up to 4096 resource versions. A slot, `segment << 12 | row`, identifies one version. Rows are
 * only appended, so snapshots share segments: an older one never looks past its own rows.
 */
export class Segment {
  ids: string[] = [];
  displayNames: string[] = [];
  readonly buckets = new Uint32Array(rowsPerSegment);
  /** Numbers of `AttributeSets`. */
  readonly attributes = new Uint32Array(rowsPerSegment);
  readonly createdMs = new Float64Array(rowsPerSegment);
  readonly stateSinceMs = new Float64Array(rowsPerSegment);
  readonly ruleCounts = new Float64Array(rowsPerSegment);
  /** See `assignOrderKeys`; 0 for a row that has none yet. */
  readonly orderKeys = new Float64Array(rowsPerSegment);
  /** Where each row's JSON begins, with a comma; the entry after the last row is where it ends. */
  readonly starts = new Uint32Array(rowsPerSegment + 1);
  readonly ends = this.starts.subarray(1);
  /** Where the part of the JSON that does not depend on the language begins. */
  readonly tails = new Uint32Array(rowsPerSegment);
  bytes: Buffer;

  /** `bytes` has room for the expected rows. */
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

  /** Appends a row: `rowStart`, then the tail of its JSON. */
  append(from: RenderedRows, fromRow: number, { bucket, attributes, rowStart }: RowKind): number {
    const row = this.ids.length;
    const start = this.starts[row]!;
    const tailStart = start + rowStart.length;
    const fromTail = from.tails[fromRow]!;
    const fromEnd = from.ends[fromRow]!;
    const end = tailStart + fromEnd - fromTail;
    this.#reserve(end);
    this.bytes.set(rowStart, start);
    from.bytes.copy(this.bytes, tailStart, fromTail, fromEnd);
    this.tails[row] = tailStart;
    this.starts[row + 1] = end;
    this.buckets[row] = bucket;
    this.attributes[row] = attributes;
    this.createdMs[row] = from.createdMs[fromRow]!;
    this.stateSinceMs[row] = from.stateSinceMs[fromRow]!;
    this.ruleCounts[row] = from.ruleCounts[fromRow]!;
    this.displayNames.push(from.displayNames[fromRow]!);
    this.ids.push(from.ids[fromRow]!);
    return row;
  }

  /** Sets the names of rows whose other columns were read into this empty segment. */
  adopt(ids: string[], displayNames: string[]): void {
    this.ids = ids;
    this.displayNames = displayNames;
  }

  /**
   * Frees the rendered rows now, not at the next garbage collection. Only for an unread segment that owns its
   * memory.
   */
  release(): void {
    (this.bytes.buffer as ArrayBuffer).transfer(0);
  }

  #reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const resized = allocatePages(Math.max(size, this.bytes.length * 2));
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

export function orderKeyOf(segments: readonly Segment[], slot: number): number {
  return segments[slot >>> segmentBits]!.orderKeys[slot & rowMask]!;
}

export function displayNameOf(segments: readonly Segment[], slot: number): string {
  return segments[slot >>> segmentBits]!.displayNames[slot & rowMask]!;
}

export function idOf(segments: readonly Segment[], slot: number): string {
  return segments[slot >>> segmentBits]!.ids[slot & rowMask]!;
}

export function attributesOf(segments: readonly Segment[], slot: number): number {
  return segments[slot >>> segmentBits]!.attributes[slot & rowMask]!;
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
