import { foldText } from '@roster/contract';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { rowOf, rowsPerSegment, type Segment, segmentBits } from '../rows/segment.ts';

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

/** The folded id, name and display name of each row of a segment, as lines. */
interface FoldedRows {
  readonly lines: Buffer;
  /** Where each line begins; the entry after the last row is where it ends. */
  readonly starts: Uint32Array;
  readonly rowCount: number;
}

const rowsBetweenChecks = 256;

const foldedRows = new WeakMap<Segment, FoldedRows>();

async function foldRows(segment: Segment, slicer: TimeSlicer): Promise<FoldedRows> {
  const known = foldedRows.get(segment);
  if (known?.rowCount === segment.rowCount) return known;
  const { ids, displayNames, rowCount } = segment;
  const from = known?.rowCount ?? 0;
  let text = '';
  const lengths: number[] = [];
  for (let row = from; row < rowCount; row++) {
    const line = foldText(`${ids[row]}\0${nameAt(segment, row)}\0${displayNames[row]}`);
    lengths.push(Buffer.byteLength(line) + 1);
    text += `${line}\n`;
    if (row % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  const starts = new Uint32Array(rowCount + 1);
  if (known !== undefined) starts.set(known.starts);
  for (const [at, length] of lengths.entries()) starts[from + at + 1] = starts[from + at]! + length;
  const lines = Buffer.concat([known?.lines ?? Buffer.alloc(0), Buffer.from(text)]);
  const folded = { lines, starts, rowCount };
  foldedRows.set(segment, folded);
  return folded;
}

/** The rows of a snapshot that have a text in their id, name or display name. */
export class TextMatches {
  /** By segment, then by row: 1 for a match. */
  readonly #rows: readonly Uint8Array[];

  private constructor(rows: readonly Uint8Array[]) {
    this.#rows = rows;
  }

  /** `text` is folded. */
  static async find(segments: readonly Segment[], text: string, slicer: TimeSlicer): Promise<TextMatches> {
    const needle = Buffer.from(text);
    const rows: Uint8Array[] = [];
    for (const segment of segments) {
      rows.push(matchesIn(await foldRows(segment, slicer), needle));
      if (slicer.isDue) await slicer.pause();
    }
    return new TextMatches(rows);
  }

  has(slot: number): boolean {
    return this.#rows[slot >>> segmentBits]![rowOf(slot)] === 1;
  }
}

function matchesIn({ lines, starts, rowCount }: FoldedRows, needle: Buffer): Uint8Array {
  const matches = new Uint8Array(rowsPerSegment);
  let row = 0;
  for (let at = lines.indexOf(needle); at !== -1; at = lines.indexOf(needle, starts[row])) {
    row = rowAt(starts, at, row, rowCount);
    matches[row++] = 1;
  }
  return matches;
}

/** The row whose line has the offset, from `first` on. Matches are often neighbours. */
function rowAt(starts: Uint32Array, offset: number, first: number, rowCount: number): number {
  if (starts[first + 1]! > offset) return first;
  let low = first + 1;
  let high = rowCount - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle + 1]! > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
