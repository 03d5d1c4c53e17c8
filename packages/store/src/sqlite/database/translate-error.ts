import { statfsSync } from 'node:fs';
import { dataDamaged, RosterError } from '@roster/contract';
import { storeUnavailable } from '../../shared/store-errors.ts';

const primaryCode = { cantOpen: 14, full: 13, ioError: 10, corrupt: 11, notADatabase: 26 } as const;
const uniqueViolation = 2067;

/** With less free space an I/O error counts as a full disk, whatever SQLite calls it. */
const fullDiskBytes = 1024 * 1024;

/** Translates a driver error. Roster's own errors pass through. */
export function translateError(error: unknown, directory: string): RosterError {
  if (error instanceof RosterError) return error;
  if (isStorageFull(error, directory)) {
    const message = `there is no space left in ${directory}; nothing was written`;
    return new RosterError('storage_full', message, { cause: error });
  }
  if (isDamage(error)) return dataDamaged('the inventory', error);
  if (primaryOf(error) === primaryCode.notADatabase) {
    return storeUnavailable(`the database in ${directory} is not one of SQLite; restore a backup`, error);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return storeUnavailable(`the store failed: ${reason}`, error);
}

export function isSqliteError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqliteCode(error) === uniqueViolation;
}

/** Checked columns are never BLOBs, and stored JSON is always valid. */
const messagesOfDamage = ['JSON cannot hold BLOB values', 'malformed JSON'];

export function isDamage(error: unknown): boolean {
  const primary = primaryOf(error);
  if (primary === undefined) return false;
  return primary === primaryCode.corrupt || messagesOfDamage.includes((error as Error).message);
}

function isStorageFull(error: unknown, directory: string): boolean {
  const primary = primaryOf(error);
  if (primary === undefined) return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC';
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

/** The kind of an SQLite error; its code says more. */
function primaryOf(error: unknown): number | undefined {
  const code = sqliteCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | undefined)?.errcode;
  return typeof code === 'number' ? code : undefined;
}
