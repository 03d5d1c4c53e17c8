import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { Segment } from '../rows/segment.ts';

/** Slots that left and joined a snapshot. */
export interface SlotChanges {
  readonly removed: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
}

/** Rows of a segment that a later snapshot has elsewhere. */
interface MovedRows {
  readonly number: number;
  readonly segment: Segment;
  /** Their slots before and after. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

interface EmptiedSegment extends Pick<MovedRows, 'number' | 'segment'> {
  /** Of the last snapshot with its rows. */
  readonly position: number;
}

const changesPerBlock = 256;

/**
 * What changed from one snapshot to the next while they share segments. Whatever is derived from a snapshot can be
 * brought up to a later one with it, and an earlier snapshot derived from a later one.
 *
 * A position is how many changes came before it.
 */
export class ChangeLog {
  /** The position before the oldest change that is kept, at the beginning of a block. */
  #start = 0;
  #end = 0;
  /** Slots that joined, and -1 minus those that left. */
  readonly #blocks: Int32Array[] = [];
  #emptied: EmptiedSegment[] = [];
  #moves: { readonly position: number; readonly count: number }[] = [];
  #neededFrom = Number.POSITIVE_INFINITY;

  /** The position of the newest snapshot. */
  get position(): number {
    return this.#end;
  }

  /** Changes from this position on are kept in any case. */
  get neededFrom(): number {
    return this.#neededFrom;
  }

  set neededFrom(position: number) {
    this.#neededFrom = position;
    this.#freeEmptied();
  }

  /** The memory of the segments that were emptied and that earlier snapshots may need. */
  get emptiedBytes(): number {
    return this.#emptied.reduce((bytes, { segment }) => bytes + segment.byteLength, 0);
  }

  /** Whether an earlier snapshot may need a segment that was emptied. */
  needsEmptied(number: number): boolean {
    return this.#emptied.some((each) => each.number === number);
  }

  /** The segments of an earlier snapshot, from those of a later one, which may not have all that were emptied since. */
  segmentsAt(position: number, segments: readonly Segment[]): readonly Segment[] {
    const needed = this.#emptied.filter((each) => each.position >= position && each.number < segments.length);
    if (needed.length === 0) return segments;
    const earlier = segments.slice();
    for (const { number, segment } of needed) earlier[number] = segment;
    return earlier;
  }

  /** Keeps these changes, about `maxChanges` before them, and what is needed. */
  record(removed: Iterable<number>, added: Iterable<number>, maxChanges: number): void {
    this.#forgetBefore(Math.min(this.#end - maxChanges, this.#neededFrom));
    this.#freeEmptied();
    for (const slot of removed) this.#push(-1 - slot);
    for (const slot of added) this.#push(slot);
  }

  /** Records that the rows of a segment were moved. */
  recordMoved({ from, to, number, segment }: MovedRows): void {
    const position = this.#end;
    // Without rows to move, the snapshot here needs the segment no more than later ones.
    this.#emptied.push({ position: from.length === 0 ? position - 1 : position, number, segment });
    this.record(from, to, Number.POSITIVE_INFINITY);
    this.#moves.push({ position, count: this.#end - position });
    this.#freeEmptied();
  }

  /** How many changes there were between two positions, besides rows that were moved. */
  countBetween(from: number, to: number): number {
    let count = to - from;
    for (const move of this.#moves) if (move.position >= from && move.position < to) count -= move.count;
    return count;
  }

  /** The changes from one position to a later one; undefined if they are not known, or not any more. */
  async between(from: number, to: number, slicer: TimeSlicer): Promise<SlotChanges | undefined> {
    if (from > to || to > this.#end) return undefined;
    const removed = new Set<number>();
    const added = new Set<number>();
    for (let position = from; position < to; position++) {
      if (position % changesPerBlock === 0 && slicer.isDue) await slicer.pause();
      if (position < this.#start) return undefined;
      const at = position - this.#start;
      const change = this.#blocks[Math.floor(at / changesPerBlock)]![at % changesPerBlock]!;
      if (change >= 0) added.add(change);
      else if (!added.delete(-1 - change)) removed.add(-1 - change);
    }
    return { removed, added };
  }

  /** The newest snapshot, and those before it that are needed, are the only ones that may still be asked for. */
  #freeEmptied(): void {
    if (this.#emptied.length === 0) return;
    const needed = Math.min(this.#neededFrom, this.#end);
    this.#emptied = this.#emptied.filter(({ position }) => position >= needed);
  }

  #forgetBefore(position: number): void {
    const blocks = Math.floor((position - this.#start) / changesPerBlock);
    if (blocks <= 0) return;
    this.#blocks.splice(0, blocks);
    this.#start += blocks * changesPerBlock;
    this.#moves = this.#moves.filter((move) => move.position >= this.#start);
  }

  #push(change: number): void {
    const at = this.#end++ - this.#start;
    if (at % changesPerBlock === 0) this.#blocks.push(new Int32Array(changesPerBlock));
    this.#blocks.at(-1)![at % changesPerBlock] = change;
  }
}
