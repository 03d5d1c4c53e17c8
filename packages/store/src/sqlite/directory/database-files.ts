import { statSync } from 'node:fs';
import { RosterError } from '@roster/contract';
import { storeUnavailable } from '../../shared/store-errors.ts';
import { hasMark, markedFiles } from './write-mark.ts';

/** Device and inode; undefined when there is no file. */
type FileId = string | undefined;

/** The files of a database when it was opened. */
export interface OpenedFiles {
  readonly database: FileId;
  readonly log: FileId;
}

/**
 * Checks that the files of an open database are still in place. SQLite keeps using files that were renamed or
 * deleted, and what it writes there is lost.
 */
export class DatabaseFiles {
  readonly file: string;
  readonly opened: OpenedFiles;

  /** `opened` comes from the thread that opened the database. */
  constructor(file: string, opened: OpenedFiles = findFiles(file)) {
    this.file = file;
    this.opened = opened;
  }

  /** Throws `database_replaced` if one of them was replaced or deleted. */
  requireInPlace(): void {
    const found = findFiles(this.file);
    const { database, log } = this.opened;
    if (found.database !== database) throw replaced(this.file, found.database);
    if (found.log !== log) throw replaced(logOf(this.file), found.log);
  }
}

export function findFiles(file: string): OpenedFiles {
  return { database: fileIdOf(file), log: fileIdOf(logOf(file)) };
}

function logOf(file: string): string {
  return `${file}-wal`;
}

function fileIdOf(file: string): FileId {
  const found = find(file);
  return found && `${found.dev}:${found.ino}`;
}

function replaced(file: string, found: FileId): RosterError {
  const what = found === undefined ? 'was deleted' : 'was replaced by another file';
  return new RosterError(
    'database_replaced',
    `${file} ${what} while it was in use; nothing more is read or acknowledged, and later writes are not in it: ` +
      'save the files that the server has open before you stop it, or they are lost (operating guide, "Replaced ' +
      'database files"); then put the right database in place and restart the server',
  );
}

/** Identifies a file among all that were or will be at its path, even if its inode is reused. */
export function fileIdentity(file: string): string {
  const { ino, birthtimeNs } = statSync(file, { bigint: true });
  return `${ino}:${birthtimeNs}`;
}

/** The database and its log, for `requireOwnFiles` to recognise. */
export function filesToMark(file: string): string {
  return `${find(file)?.ino} ${find(logOf(file))?.ino}`;
}

/**
 * Throws `store_unavailable` if starting would lose or mix inventories silently: the database is gone, or was
 * replaced while the old log still lies beside it. SQLite would apply that log to any database.
 */
export function requireOwnFiles(directory: string, file: string): void {
  const database = find(file);
  if (database === undefined) {
    if (hasMark(directory)) throw gone(directory, file);
    return;
  }
  const log = find(logOf(file));
  const [knownDatabase, knownLog] = markedFiles(directory)?.split(' ') ?? [];
  if (log === undefined || log.size === 0n || knownLog !== String(log.ino)) return;
  if (knownDatabase !== String(database.ino)) throw foreignLog(file);
}

function find(file: string) {
  return statSync(file, { bigint: true, throwIfNoEntry: false });
}

function gone(directory: string, file: string): RosterError {
  return storeUnavailable(
    `${directory} had an inventory, and ${file} is gone; put it back from a backup, or delete roster.mark and ` +
      'roster.generation to begin an empty one',
  );
}

function foreignLog(file: string): RosterError {
  return storeUnavailable(
    `${file}-wal belongs to the database that was here before, and has writes that are not in ${file}; put that ` +
      'database back to keep them, or move the log away to go on without',
  );
}
