import { parseResourceTail, type Resource, renderStateSince } from '@roster/contract';
import { attributesOf, bucketOf, rowOf, segmentBits, segmentOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Rows } from './render-rows.ts';

/** Newlines make NDJSON, commas the items of a JSON array. */
export type RecordSeparator = '\n' | ',';

/**
 * The rows as importable records with a separator behind each, in memory from `allocate`. Pieces of a list
 * can be concatenated.
 */
export function renderRecords(
  rows: Rows,
  separator: RecordSeparator,
  allocate: (size: number) => Buffer,
): Buffer {
  const { snapshot, slots, count, overrides } = rows;
  const { segments, buckets, attributes } = snapshot;
  const ends = Array.from({ length: count }, (_, at) => {
    const segment = segments[slots[at]! >>> segmentBits]!;
    const row = rowOf(slots[at]!);
    const { labels } = attributes.at(segment.attributes[row]!);
    return `${renderStateSince(segment.stateSinceMs[row]!)},"labels":${labels}}${separator}`;
  });
  const target = allocate(measure(rows, ends));
  let position = 0;
  for (let at = 0; at < count; at++) {
    const segment = segments[slots[at]! >>> segmentBits]!;
    const row = rowOf(slots[at]!);
    const bucket = segment.buckets[row]!;
    const rowStart = overrides?.[bucket];
    if (rowStart !== undefined) position += rowStart.copy(target, position, 1);
    // A row is a comma and a JSON object; the record's end replaces its closing brace.
    const from = rowStart === undefined ? segment.starts[row]! + 1 : segment.tails[row]!;
    position += segment.bytes.copy(target, position, from, segment.starts[row + 1]! - 1);
    position += buckets.at(bucket).recordKind.copy(target, position);
    position += target.write(ends[at]!, position);
  }
  return target;
}

function measure({ snapshot, slots, count, overrides }: Rows, ends: readonly string[]): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const { starts, tails, buckets } = snapshot.segments[slots[at]! >>> segmentBits]!;
    const row = rowOf(slots[at]!);
    const bucket = buckets[row]!;
    const rowStart = overrides?.[bucket];
    const start = rowStart === undefined ? starts[row]! : tails[row]! - rowStart.length;
    // Without the comma before the object and its closing brace.
    bytes += starts[row + 1]! - start - 2;
    bytes += snapshot.buckets.at(bucket).recordKind.length + Buffer.byteLength(ends[at]!);
  }
  return bytes;
}

export function resourceAt(snapshot: Snapshot, slot: number): Resource {
  const { typeKey, product, alertable } = snapshot.buckets.at(bucketOf(snapshot.segments, slot));
  const { labels } = snapshot.attributes.at(attributesOf(snapshot.segments, slot));
  const stateSinceMs = segmentOf(snapshot.segments, slot).stateSinceMs[rowOf(slot)]!;
  return { ...parseResourceTail(snapshot.tailOf(slot)), typeKey, product, alertable, stateSinceMs, labels };
}
