import type { Rows } from './render-rows.ts';
import { rowOf, segmentBits } from './segment.ts';

/** What follows every record: newlines make NDJSON, commas the items of a JSON array. */
export type RecordSeparator = '\n' | ',';

/**
 * The rows as records, which have everything that can be handed in, with a separator behind each, in memory
 * that `allocate` gives. The parts of a list that is rendered in parts can be put together as they are.
 */
export function renderRecords(
  rows: Rows,
  separator: RecordSeparator,
  allocate: (size: number) => Buffer,
): Buffer {
  const { snapshot, slots, count, overrides } = rows;
  const { segments, buckets } = snapshot;
  const target = allocate(measure(rows));
  const separatorCode = separator.charCodeAt(0);
  let position = 0;
  for (let at = 0; at < count; at++) {
    const segment = segments[slots[at]! >>> segmentBits]!;
    const row = rowOf(slots[at]!);
    const bucket = segment.buckets[row]!;
    const head = overrides?.[bucket];
    if (head !== undefined) position += head.copy(target, position, 1);
    // A row is a comma, the JSON and its closing brace, which gives way to the end of the record.
    const from = head === undefined ? segment.starts[row]! + 1 : segment.tails[row]!;
    position += segment.bytes.copy(target, position, from, segment.starts[row + 1]! - 1);
    position += buckets.at(bucket).recordEnd.copy(target, position);
    target[position++] = separatorCode;
  }
  return target;
}

function measure({ snapshot, slots, count, overrides }: Rows): number {
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const { starts, tails, buckets } = snapshot.segments[slots[at]! >>> segmentBits]!;
    const row = rowOf(slots[at]!);
    const bucket = buckets[row]!;
    const head = overrides?.[bucket];
    const start = head === undefined ? starts[row]! : tails[row]! - head.length;
    // The separator takes the room of the comma, and the end of the record that of the closing brace.
    bytes += starts[row + 1]! - start - 1 + snapshot.buckets.at(bucket).recordEnd.length;
  }
  return bytes;
}
