import type { Snapshot } from '../snapshot.ts';

/** Smaller stations load too fast for anyone to notice. */
export const largeStationSize = 10_000;

/**
 * A changed resource has about ten entries, so a snapshot is saved again when a fortieth of it has changed.
 */
const unsavedEntriesPerResource = 0.25;

/** A saved file is useless once the store has compacted the changes since. */
const maxSavedAgeMs = 3_600_000;

interface UnsavedChanges {
  /** List entries that have changed since the last save. */
  readonly unsavedEntries: number;
  readonly savedAgoMs: number;
}

/** Whether a snapshot is large, and its saved file old or much behind. */
export function isWorthSaving({ size }: Snapshot, { unsavedEntries, savedAgoMs }: UnsavedChanges): boolean {
  if (size < largeStationSize) return false;
  return unsavedEntries > (savedAgoMs > maxSavedAgeMs ? 0 : size * unsavedEntriesPerResource);
}
