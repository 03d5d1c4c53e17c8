import type { ChangeLog } from '../lists/change-log.ts';
import { noSegment, Segment } from '../rows/segment.ts';

/** All rows, those of ended versions included. */
export function countRows(segments: readonly Segment[]): number {
  let rows = 0;
  for (const { rowCount } of segments) rows += rowCount;
  return rows;
}

/** Adds a segment for the rows after those of another. Returns its number, which one that was emptied may have had. */
export function openSegment(segments: Segment[], before: Segment | undefined, log: ChangeLog): number {
  const opened = Segment.after(before);
  const free = segments.findIndex((segment, number) => segment === noSegment && !log.needsEmptied(number));
  if (free === -1) return segments.push(opened) - 1;
  segments[free] = opened;
  return free;
}
