import { statfsSync } from 'node:fs';
import { RosterError } from '@roster/contract';

const primaryCode = { cantOpen: 14, full: 13, ioError: 10 } as const;
const uniqueViolation = 2067;

/** Below this much free space an I/O error is taken to be a full disk, whatever name SQLite gives it. */
const fullDiskBytes = 1024 * 1024;

/** What a caller sees of a driver error. Errors that are already Roster's own pass through. */
export function translateError(error: unknown, directory: string): RosterError {
  if (error instanceof RosterError) return error;
  if (isStorageFull(error, directory)) {
    const message = `there is no space left for the data in ${directory}; nothing of this write was kept`;
    return new RosterError('storage_full', message, { cause: error });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new RosterError('store_unavailable', `the store failed: ${reason}`, { cause: error });
}

export function isSqliteError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqliteCode(error) === uniqueViolation;
}

function isStorageFull(error: unknown, directory: string): boolean {
  const code = sqliteCode(error);
  if (code === undefined) return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC';
  const primary = code & 0xff;
  if (primary === primaryCode.full) return true;
  return (primary === primaryCode.ioError || primary === primaryCode.cantOpen) && isDiskFull(directory);
}

function isDiskFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < fullDiskBytes;
  } catch {
    return false;
  }
}

function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code : undefined;
}
