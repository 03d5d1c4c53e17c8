import type { DatabaseSync } from 'node:sqlite';
import { getRow } from './rows.ts';

export function readMeta(db: DatabaseSync, key: string): string | undefined {
  return getRow<{ value: string }>(db, 'SELECT value FROM meta WHERE key = ?', key)?.value;
}

export function writeMeta(db: DatabaseSync, key: string, value: string): void {
  db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value').run(
    key,
    value,
  );
}

/** Must run in every transaction that hands out a revision of a station or of the catalog. */
export function countWrite(db: DatabaseSync): void {
  db.exec("UPDATE meta SET value = value + 1 WHERE key = 'writes'");
}

/** Undefined in a database of a version that did not count. */
export function countedWrites(db: DatabaseSync): number | undefined {
  return prepareCountedWrites(db)();
}

/** `countedWrites` for many calls. */
export function prepareCountedWrites(db: DatabaseSync): () => number | undefined {
  const read = db.prepare("SELECT value FROM meta WHERE key = 'writes'");
  return () => {
    const row = read.get() as { value: string } | undefined;
    return row && Number(row.value);
  };
}
