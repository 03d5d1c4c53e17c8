import { renderResourceHead } from '@roster/contract';
import type { Labels } from '../labels.ts';
import { rowOf, segmentBits } from './segment.ts';
import type { Snapshot } from './snapshot.ts';

/** By bucket: what to put in place of the rendered start of its rows, where the wanted language differs. */
export type HeadOverrides = readonly (Buffer | undefined)[];

/** Undefined when every row can be sent as it is. */
export function headOverrides(snapshot: Snapshot, labels: Labels, locale: string): HeadOverrides | undefined {
  const byType = new Map<string, Buffer | undefined>();
  const overrides = Array.from(snapshot.buckets.values(), ({ typeKey, label }) =>
    byType.getOrInsertComputed(typeKey, () => {
      const wanted = labels.labelOf(typeKey, locale);
      return wanted === label ? undefined : Buffer.from(`,${renderResourceHead(typeKey, wanted)}`);
    }),
  );
  return overrides.some((head) => head !== undefined) ? overrides : undefined;
}

export interface Rows {
  readonly snapshot: Snapshot;
  readonly slots: Uint32Array;
  readonly count: number;
  readonly overrides: HeadOverrides | undefined;
}

/** `before`, the rows as JSON with commas between them, `after`, in memory that `allocate` gives. Both texts must be ASCII. */
export function renderRows(
  before: string,
  rows: Rows,
  after: string,
  allocate: (size: number) => Buffer,
): Buffer {
  const { overrides, count } = rows;
  const rowBytes = overrides === undefined ? measure(rows) : measureWith(rows, overrides);
  // Every row begins with a comma; the first one's gives way to the last character of `before`.
  const start = count === 0 ? before.length : before.length - 1;
  const end = start + rowBytes;
  const target = allocate(end + after.length);
  if (overrides === undefined) copy(rows, target, start);
  else copyWith(rows, overrides, target, start);
  target.write(before, 0, 'latin1');
  target.write(after, end, 'latin1');
  return target;
}

function measure({ snapshot, slots, count }: Rows): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!;
    const { starts } = snapshot.segments[slot >>> segmentBits]!;
    const row = rowOf(slot);
    bytes += starts[row + 1]! - starts[row]!;
  }
  return bytes;
}

/** Rows that lie side by side in a segment are copied at once. */
function copy({ snapshot, slots, count }: Rows, target: Buffer, start: number): void {
  let position = start;
  for (let at = 0; at < count; ) {
    const first = slots[at]!;
    const segment = snapshot.segments[first >>> segmentBits]!;
    let last = first;
    at++;
    while (at < count && slots[at] === last + 1 && rowOf(last + 1) !== 0) {
      last++;
      at++;
    }
    const from = segment.starts[rowOf(first)]!;
    position += segment.bytes.copy(target, position, from, segment.starts[rowOf(last) + 1]!);
  }
}

function measureWith({ snapshot, slots, count }: Rows, overrides: HeadOverrides): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!;
    const { starts, tails, buckets } = snapshot.segments[slot >>> segmentBits]!;
    const row = rowOf(slot);
    const head = overrides[buckets[row]!];
    bytes += starts[row + 1]! - (head === undefined ? starts[row]! : tails[row]! - head.length);
  }
  return bytes;
}

function copyWith(
  { snapshot, slots, count }: Rows,
  overrides: HeadOverrides,
  target: Buffer,
  start: number,
): void {
  let position = start;
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!;
    const segment = snapshot.segments[slot >>> segmentBits]!;
    const row = rowOf(slot);
    const head = overrides[segment.buckets[row]!];
    const from = head === undefined ? segment.starts[row]! : segment.tails[row]!;
    if (head !== undefined) {
      target.set(head, position);
      position += head.length;
    }
    position += segment.bytes.copy(target, position, from, segment.starts[row + 1]!);
  }
}
