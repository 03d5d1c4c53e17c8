import type { DatabaseSync } from 'node:sqlite';

export function readMeta(db: DatabaseSync, key: string): string | undefined {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  return row?.value;
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
  const counted = readMeta(db, 'writes');
  return counted === undefined ? undefined : Number(counted);
}
