import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { idOf, placeOf, rowOf, rowsPerSegment, type Segment, segmentOf } from '../rows/segment.ts';
import { VersionsBuilder } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import { countRows, openSegment } from './open-segments.ts';

/** So many rows of ended versions are tolerated, besides a share of the size. */
const toleratedRows = 2 * rowsPerSegment;
const toleratedShare = 0.12;

/** With fewer rows of ended versions, a segment is left as it is. */
const leastEnded = rowsPerSegment / 16;

/** Segments that share memory, which is only freed with all of them, are emptied one after the other. */
const shareOfMostEnded = 0.6;

const rowsBetweenChecks = 128;

/**
 * The same snapshot with the newest rows of one segment moved to the end, which frees the memory of ended versions.
 * Lists and ids refer to places, so they stay as they are. Undefined if it would free too little.
 */
export async function compact(base: Snapshot, slicer: TimeSlicer): Promise<Snapshot | undefined> {
  const { head, buckets, attributes, lists, ids, log } = base;
  const ended = countRows(base.segments) - base.size;
  const isNewest = log.position === base.logPosition;
  if (!isNewest || ended <= toleratedRows + base.size * toleratedShare) return undefined;
  const number = findMostEnded(base);
  if (number === undefined) return undefined;
  const segments = base.segments.slice();
  const segment = segments[number]!;
  const versions = new VersionsBuilder(base.versions);
  const from: number[] = [];
  const to: number[] = [];
  let open = base.openSegment;
  for (let row = 0; row < rowsPerSegment; row++) {
    const slot = number * rowsPerSegment + row;
    if (isLive(base, slot)) {
      if (segments[open]!.isFull) open = openSegment(segments, segments[open], log);
      const moved = open * rowsPerSegment + copyRow(base, slot, segments[open]!);
      versions.set(placeOf(segments, slot), moved);
      from.push(slot);
      to.push(moved);
    }
    if ((row + 1) % rowsBetweenChecks === 0 && slicer.isDue) await slicer.pause();
  }
  segments[number] = segment.emptied();
  log.recordMoved({ number, segment, from, to });
  return new Snapshot({
    head,
    segments,
    openSegment: open,
    buckets,
    attributes,
    lists,
    ids,
    versions: versions.finish(),
    changedRows: 0,
    log,
  });
}

/** The full segment to empty next: one with many ended versions that shares its memory with the fewest others. */
function findMostEnded({ segments, openSegment: open }: Snapshot): number | undefined {
  const full = Array.from(segments.keys()).filter(
    (number) => number !== open && segments[number]!.rowCount === rowsPerSegment,
  );
  const groups = Array.from(
    Map.groupBy(full, (number) => segments[number]!.bytes.buffer).values(),
    (numbers) => ({ numbers, ended: averageEnded(numbers.map((number) => segments[number]!)) }),
  );
  const most = Math.max(leastEnded, ...groups.map(({ ended }) => ended));
  const [next] = groups
    .filter(({ ended }) => ended >= most * shareOfMostEnded)
    .sort((a, b) => a.numbers.length - b.numbers.length || b.ended - a.ended);
  return next?.numbers[0];
}

function averageEnded(segments: readonly Segment[]): number {
  return segments.reduce((sum, { endedRows }) => sum + endedRows, 0) / segments.length;
}

function isLive({ segments, versions, ids }: Snapshot, slot: number): boolean {
  const place = placeOf(segments, slot);
  return versions.at(place) === slot && ids.find(idOf(segments, place), segments) === place;
}

/** Returns the new row. */
function copyRow({ segments, buckets }: Snapshot, slot: number, to: Segment): number {
  const from = segmentOf(segments, slot);
  const row = rowOf(slot);
  const bucket = from.buckets[row]!;
  const kind = { bucket, attributes: from.attributes[row]!, rowStart: buckets.at(bucket).rowStart };
  const copied = to.append(from, row, kind);
  const place = placeOf(segments, slot);
  to.succeed(copied, place, segmentOf(segments, place));
  return copied;
}
