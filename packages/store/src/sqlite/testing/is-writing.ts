import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Whether a transaction that writes is open in the database of a directory. */
export function isWriting(directory: string): boolean {
  const probe = new DatabaseSync(join(directory, 'roster.db'), { timeout: 0 });
  try {
    probe.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    probe.close();
  }
}
