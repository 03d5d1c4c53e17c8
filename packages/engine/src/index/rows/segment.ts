import { allocatePages } from './row-memory.ts';

export const segmentBits = 12;
export const rowsPerSegment = 1 << segmentBits;
const rowMask = rowsPerSegment - 1;
const leastBytes = 1 << 12;

/** Of columns. */
const bytesPerRow = 52;
const bytesPerPlace = 12;

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
  ids: string[];
  displayNames: string[];
  /** One more than the place of the resource (see `Versions`), or 0 if the row is its first version. */
  readonly places: Uint32Array;
  /** See `assignOrderKeys`; 0 for a row that has none yet. */
  readonly orderKeys: Float64Array;
  readonly buckets: Uint32Array;
  /** Numbers of `AttributeSets`. */
  readonly attributes: Uint32Array;
  readonly createdMs: Float64Array;
  readonly stateSinceMs: Float64Array;
  readonly ruleCounts: Float64Array;
  /** Where each row's JSON begins, with a comma; the entry after the last row is where it ends. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Where the part of the JSON that does not depend on the language begins. */
  readonly tails: Uint32Array;
  bytes: Buffer;
  /** How many of its rows are versions that have ended. */
  endedRows = 0;
  readonly #isEmptied: boolean;

  /** `bytes` has room for the expected rows. Without rows of its own, it has the names and keys of `places`. */
  constructor(bytes: Buffer, places?: Segment) {
    const rows = places === undefined ? rowsPerSegment : 0;
    this.ids = places?.ids ?? [];
    this.displayNames = places?.displayNames ?? [];
    this.places = places?.places ?? new Uint32Array(rows);
    this.orderKeys = places?.orderKeys ?? new Float64Array(rows);
    this.buckets = new Uint32Array(rows);
    this.attributes = new Uint32Array(rows);
    this.createdMs = new Float64Array(rows);
    this.stateSinceMs = new Float64Array(rows);
    this.ruleCounts = new Float64Array(rows);
    this.starts = new Uint32Array(rows + 1);
    this.ends = this.starts.subarray(1);
    this.tails = new Uint32Array(rows);
    this.bytes = bytes;
    this.#isEmptied = places !== undefined;
  }

  /** A segment with memory of its own. */
  static expecting(bytes: number): Segment {
    return new Segment(allocatePages(Math.max(leastBytes, bytes)));
  }

  /** A segment for the rows after those of another. */
  static after(segment: Segment | undefined): Segment {
    // Reserved memory that is never touched costs nothing; growing into it would fragment the heap.
    return Segment.expecting(
      segment === undefined ? rowsPerSegment * 512 : Math.ceil(segment.usedBytes * 1.1),
    );
  }

  /** What is left when its rows were moved: its places, if it has any. */
  emptied(): Segment {
    const hasPlaces = this.places.includes(0);
    return hasPlaces ? new Segment(Buffer.alloc(0), this) : noSegment;
  }

  get rowCount(): number {
    return this.#isEmptied ? 0 : this.ids.length;
  }

  /** Its memory, without names. */
  get byteLength(): number {
    if (this === noSegment) return 0;
    return this.bytes.length + rowsPerSegment * (this.#isEmptied ? bytesPerPlace : bytesPerRow);
  }

  get isFull(): boolean {
    return this.#isEmptied || this.ids.length === rowsPerSegment;
  }

  get usedBytes(): number {
    return this.starts[this.rowCount]!;
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

  /** Makes a row the next version of the resource at a place, whose key and names it shares. */
  succeed(row: number, place: number, first: Segment): void {
    const firstRow = rowOf(place);
    this.places[row] = place + 1;
    this.orderKeys[row] = first.orderKeys[firstRow]!;
    this.ids[row] = first.ids[firstRow]!;
    this.displayNames[row] = first.displayNames[firstRow]!;
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

/** Where there is none any more. */
export const noSegment = new Segment(Buffer.alloc(0), new Segment(Buffer.alloc(0)));

export function segmentOf(segments: readonly Segment[], slot: number): Segment {
  return segments[slot >>> segmentBits]!;
}

export function rowOf(slot: number): number {
  return slot & rowMask;
}

/** The slot of the first version of the resource with the same display name. */
export function placeOf(segments: readonly Segment[], slot: number): number {
  const place = segments[slot >>> segmentBits]!.places[slot & rowMask]!;
  return place === 0 ? slot : place - 1;
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
