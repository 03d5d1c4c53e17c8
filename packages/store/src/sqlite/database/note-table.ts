import type { DatabaseSync } from 'node:sqlite';
import type { Note } from '@roster/engine/port';
import { type NoteRow, noteSql } from '../../shared/notes.ts';
import { getRow, getRows } from './rows.ts';
import { runTransaction } from './run-transaction.ts';

const sql = noteSql((n) => `?${n}`);

export function noteVersions(db: DatabaseSync, prefix: string): Map<string, number> {
  return new Map(getRows<NoteRow>(db, sql.versions, prefix).map(({ key, version }) => [key, version]));
}

export function readNote(db: DatabaseSync, key: string): Note | undefined {
  const row = getRow<NoteRow>(db, sql.read, key);
  return row && { version: row.version, body: row.body };
}

/** Returns the new version, or undefined if the note has another version than `ifVersion`. */
export function writeNote(
  db: DatabaseSync,
  key: string,
  body: Uint8Array,
  ifVersion?: number,
): number | undefined {
  if (ifVersion === undefined) return getRow<NoteRow>(db, sql.put, key, body)!.version;
  if (ifVersion === 0) return getRow<NoteRow>(db, sql.create, key, body)?.version;
  return getRow<NoteRow>(db, sql.replace, key, body, ifVersion)?.version;
}

export function removeNotes(db: DatabaseSync, keys: readonly string[]): void {
  runTransaction(db, () => {
    const remove = db.prepare(sql.remove);
    for (const key of keys) remove.run(key);
  });
}
