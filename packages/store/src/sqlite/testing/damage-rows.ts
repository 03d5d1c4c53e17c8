import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DamagingUpdate } from '@roster/engine/testing';

/** Changes rows of a database that may be open, and leaves their checksums as they are. */
export function damageRows(directory: string, { table, set, where }: DamagingUpdate): void {
  const db = new DatabaseSync(join(directory, 'roster.db'));
  db.exec(`UPDATE ${table} SET ${set} WHERE ${where}`);
  db.close();
}
