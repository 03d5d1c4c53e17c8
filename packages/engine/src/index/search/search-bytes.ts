import type { Snapshot } from '../snapshot.ts';
import { sortedBytes } from './sorted-slots.ts';
import { foldedBytes } from './text-matches.ts';

/** The memory that searches of a snapshot have left behind for the next ones. */
export function searchBytes(snapshot: Snapshot): number {
  return foldedBytes(snapshot.segments) + sortedBytes(snapshot);
}
