import { foldText } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { resourceIdIn } from '../rows/row-id.ts';
import { rowsPerSegment, type Segment } from '../rows/segment.ts';

const nameStart = Buffer.from(',"name":');
const nameEnd = Buffer.from(',"gpu_model":');

/** The name of a resource, from its rendered row: quotes in texts are escaped, so keys are found exactly. */
export function nameAt({ bytes, tails, starts }: Segment, row: number): string {
  const start = bytes.indexOf(nameStart, tails[row]) + nameStart.length;
  const end = bytes.indexOf(nameEnd, start);
  if (end === -1 || end > starts[row + 1]!) throw new Error('a rendered row has no name');
  const json = bytes.toString('utf8', start, end);
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

const rowsPerBlock = 32;
const bitsPerBlock = 4096;
const wordsPerBlock = bitsPerBlock / 32;
/** Sequences of three are in most blocks of ids in hexadecimal. */
const gramLength = 4;
const wordsPerSegment = rowsPerSegment / 32;

/** The folded id, name and display name of each row of a segment, as lines. */
interface FoldedRows {
  readonly lines: Buffer;
  /** Where each line begins; the entry after the last row is where it ends. */
  readonly starts: Uint32Array;
  readonly rowCount: number;
  /** For each block of rows, which sequences of four bytes it may have: most blocks need not be searched. */
  readonly grams: Uint32Array;
}

const rowsBetweenChecks = 256;

const foldedRows = new WeakMap<Segment, FoldedRows>();

/** The memory of the texts of rows that were searched. */
export function foldedBytes(segments: readonly Segment[]): number {
  let bytes = 0;
  for (const segment of segments) {
    const folded = foldedRows.get(segment);
    if (folded !== undefined) {
      bytes += folded.lines.length + folded.starts.byteLength + folded.grams.byteLength;
    }
  }
  return bytes;
}

async function foldRows(segment: Segment, slicer: TimeSlicer): Promise<FoldedRows> {
  const known = foldedRows.get(segment);
  if (known?.rowCount === segment.rowCount) return known;
  const { ids, displayNames, rowCount } = segment;
  const from = known?.rowCount ?? 0;
  const starts = new Uint32Array(rowCount + 1);
  if (known !== undefined) starts.set(known.starts);
  const pieces = [known?.lines ?? Buffer.alloc(0)];
  for (let row = from; row < rowCount; row++) {
    const line = Buffer.from(`${foldRow(ids[row]!, nameAt(segment, row), displayNames[row]!)}\n`);
    pieces.push(line);
    starts[row + 1] = starts[row]! + line.length;
    if (row % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  const lines = Buffer.concat(pieces);
  const grams = new Uint32Array(Math.ceil(rowCount / rowsPerBlock) * wordsPerBlock);
  for (let row = 0; row < rowCount; row++) {
    addGrams(grams, Math.floor(row / rowsPerBlock) * wordsPerBlock, lines, starts[row]!, starts[row + 1]!);
    if (row % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  const folded = { lines, starts, rowCount, grams };
  foldedRows.set(segment, folded);
  return folded;
}

const plain = /^[\x20-\x7e]*$/;

/** Many names contain the display name, and then need it not twice. Beyond ASCII, folding may change what contains what. */
function foldRow(rowId: string, name: string, displayName: string): string {
  const id = resourceIdIn(rowId);
  const isContained = name.includes(displayName) && plain.test(name);
  return foldText(isContained ? `${id}\0${name}` : `${id}\0${name}\0${displayName}`);
}

function addGrams(grams: Uint32Array, block: number, bytes: Buffer, from: number, to: number): void {
  for (let at = from; at + gramLength <= to; at++) {
    const bit = bitOf(bytes, at);
    grams[block + (bit >>> 5)]! |= 1 << (bit & 31);
  }
}

function bitOf(bytes: Buffer, at: number): number {
  const gram = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return Math.imul(gram, 0x9e3779b1) >>> 20;
}

/** The rows of a snapshot that have a text in their id, name or display name. */
export class TextMatches {
  /** How many there are, those of ended versions included. */
  readonly count: number;
  /** One bit for each slot. */
  readonly #marks: Uint32Array;

  private constructor(marks: Uint32Array, count: number) {
    this.#marks = marks;
    this.count = count;
  }

  /** `text` is folded. */
  static async find(segments: readonly Segment[], text: string, slicer: TimeSlicer): Promise<TextMatches> {
    const needle = new Needle(text);
    const marks = new Uint32Array(segments.length * wordsPerSegment);
    let count = 0;
    for (const [at, segment] of segments.entries()) {
      const folded = await foldRows(segment, slicer);
      count += needle.markIn(folded, marks.subarray(at * wordsPerSegment, (at + 1) * wordsPerSegment));
      if (slicer.isDue) await slicer.pause();
    }
    return new TextMatches(marks, count);
  }

  has(slot: number): boolean {
    return (this.#marks[slot >>> 5]! & (1 << (slot & 31))) !== 0;
  }

  *slots(): Generator<number> {
    for (let at = 0; at < this.#marks.length; at++) {
      for (let bits = this.#marks[at]!; bits !== 0; bits &= bits - 1) {
        yield at * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
  }
}

class Needle {
  readonly #bytes: Buffer;
  readonly #bits: readonly number[];

  constructor(text: string) {
    this.#bytes = Buffer.from(text);
    const count = Math.max(0, this.#bytes.length - gramLength + 1);
    this.#bits = Array.from({ length: count }, (_, at) => bitOf(this.#bytes, at));
  }

  /** Marks the rows that have the text. Returns how many. */
  markIn(folded: FoldedRows, marks: Uint32Array): number {
    let count = 0;
    for (let first = 0; first < folded.rowCount; ) {
      if (!this.#mayBeIn(folded, first)) {
        first += rowsPerBlock;
        continue;
      }
      let end = first + rowsPerBlock;
      while (end < folded.rowCount && this.#mayBeIn(folded, end)) end += rowsPerBlock;
      count += this.#markBetween(folded, first, Math.min(end, folded.rowCount), marks);
      first = end;
    }
    return count;
  }

  #mayBeIn({ grams }: FoldedRows, row: number): boolean {
    const block = (row / rowsPerBlock) * wordsPerBlock;
    for (const bit of this.#bits) if ((grams[block + (bit >>> 5)]! & (1 << (bit & 31))) === 0) return false;
    return true;
  }

  #markBetween({ lines, starts }: FoldedRows, from: number, to: number, marks: Uint32Array): number {
    const base = starts[from]!;
    const searched = lines.subarray(base, starts[to]);
    let count = 0;
    let row = from;
    for (let at = searched.indexOf(this.#bytes); at !== -1; ) {
      row = rowAt(starts, base + at, row, to);
      // Neighbours often have it in the same place, and looking there is faster than searching.
      const column = base + at - starts[row]!;
      do {
        marks[row >>> 5]! |= 1 << (row & 31);
        row++;
        count++;
      } while (row < to && this.#isAt(lines, starts[row]! + column, starts[row + 1]!));
      at = row === to ? -1 : searched.indexOf(this.#bytes, starts[row]! - base);
    }
    return count;
  }

  #isAt(lines: Buffer, start: number, end: number): boolean {
    const needle = this.#bytes;
    if (start + needle.length > end) return false;
    for (let at = 0; at < needle.length; at++) if (lines[start + at] !== needle[at]) return false;
    return true;
  }
}

/** The row whose line has the offset, from `first` on and before `to`. Matches are often neighbours. */
function rowAt(starts: Uint32Array, offset: number, first: number, to: number): number {
  if (starts[first + 1]! > offset) return first;
  let low = first + 1;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle + 1]! > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
