import { renderResourceHead } from '@roster/contract';
import type { Buckets } from '../rows/buckets.ts';
import { rowOf, segmentBits } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Labels } from './type-labels.ts';

/** By bucket: a replacement for the rendered start of its rows, where the label differs. */
export type LabelOverrides = readonly (Buffer | undefined)[];

interface KnownOverrides {
  readonly bucketCount: number;
  readonly labels: Labels;
  readonly overrides: LabelOverrides | undefined;
}

/** By locale: snapshots share their buckets, and most have no new ones. */
const knownOverrides = new WeakMap<Buckets, Map<string, KnownOverrides>>();

/** Undefined when every row can be sent as it is. */
export function labelOverrides(
  { buckets }: Snapshot,
  labels: Labels,
  locale: string,
): LabelOverrides | undefined {
  const byLocale = knownOverrides.getOrInsertComputed(buckets, () => new Map());
  const known = byLocale.get(locale);
  if (known?.labels === labels && known.bucketCount === buckets.size) return known.overrides;
  const overrides = findOverrides(buckets, labels, locale);
  byLocale.set(locale, { bucketCount: buckets.size, labels, overrides });
  return overrides;
}

function findOverrides(buckets: Buckets, labels: Labels, locale: string): LabelOverrides | undefined {
  const byType = new Map<string, Buffer | undefined>();
  const overrides = Array.from(buckets.values(), ({ typeKey, label }) =>
    byType.getOrInsertComputed(typeKey, () => {
      const wanted = labels.labelOf(typeKey, locale);
      return wanted === label ? undefined : Buffer.from(`,${renderResourceHead(typeKey, wanted)}`);
    }),
  );
  return overrides.some((rowStart) => rowStart !== undefined) ? overrides : undefined;
}

export interface Rows {
  readonly snapshot: Snapshot;
  readonly slots: Uint32Array;
  readonly count: number;
  readonly overrides: LabelOverrides | undefined;
}

/**
 * `before`, the rows as JSON separated by commas, `after`, in memory from `allocate`. Both texts must be
 * ASCII.
 */
export function renderRows(
  before: string,
  rows: Rows,
  after: string,
  allocate: (size: number) => Buffer,
): Buffer {
  const { overrides, count } = rows;
  // Every row begins with a comma; the last character of `before` overwrites the first.
  const start = count === 0 ? before.length : before.length - 1;
  const end = start + measure(rows);
  const target = allocate(end + after.length);
  if (overrides === undefined) copy(rows, target, start);
  else copyWith(rows, overrides, target, start);
  target.write(before, 0, 'latin1');
  target.write(after, end, 'latin1');
  return target;
}

function measure({ snapshot, slots, count, overrides }: Rows): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!;
    const { starts, tails, buckets } = snapshot.segments[slot >>> segmentBits]!;
    const row = rowOf(slot);
    const rowStart = overrides === undefined ? undefined : overrides[buckets[row]!];
    bytes += starts[row + 1]! - (rowStart === undefined ? starts[row]! : tails[row]! - rowStart.length);
  }
  return bytes;
}

/** Adjacent rows are copied at once. */
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

function copyWith(
  { snapshot, slots, count }: Rows,
  overrides: LabelOverrides,
  target: Buffer,
  start: number,
): void {
  let position = start;
  for (let at = 0; at < count; at++) {
    const slot = slots[at]!;
    const segment = snapshot.segments[slot >>> segmentBits]!;
    const row = rowOf(slot);
    const rowStart = overrides[segment.buckets[row]!];
    const from = rowStart === undefined ? segment.starts[row]! : segment.tails[row]!;
    if (rowStart !== undefined) {
      target.set(rowStart, position);
      position += rowStart.length;
    }
    position += segment.bytes.copy(target, position, from, segment.starts[row + 1]!);
  }
}
