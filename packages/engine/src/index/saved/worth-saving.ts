import type { Snapshot } from '../snapshot.ts';

/** Smaller stations load too fast for anyone to notice. */
export const largeStationSize = 10_000;

/** With more of its resources changed, a snapshot is saved again. */
const maxUnsavedShare = 1 / 40;

/** A saved file is useless once the store has compacted the changes since. */
const maxSavedAgeMs = 3_600_000;

interface UnsavedChanges {
  /** How many resources have changed since the last save. */
  readonly unsavedRows: number;
  readonly savedAgoMs: number;
}

/** Whether a snapshot is large, and its saved file old or much behind. */
export function isWorthSaving({ size }: Snapshot, { unsavedRows, savedAgoMs }: UnsavedChanges): boolean {
  if (size < largeStationSize) return false;
  return unsavedRows > (savedAgoMs > maxSavedAgeMs ? 0 : size * maxUnsavedShare);
}
