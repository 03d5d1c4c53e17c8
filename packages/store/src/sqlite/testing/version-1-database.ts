import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { station } from '../../testing/station-data.ts';
import { migrations } from '../database/migrations.ts';

export const head = { epoch: 'epoch1', number: 7, revId: '7777777777777777' };

/** When the oldest revision that is still known was committed, and the one after it. */
export const oldestMs = 1_700_000_000_000;

/**
 * A database as version 1 left it, with a station at revision 7 whose history before 6 was compacted away:
 * `old` and `odd` were put before, `new` afterwards, and `gone` was removed last.
 */
export function writeVersion1Database(directory: string): void {
  const db = new DatabaseSync(join(directory, 'roster.db'));
  db.exec(migrations[0]!);
  db.prepare('INSERT INTO stations VALUES (1, ?, ?, ?, ?, ?, ?, ?)').run(
    ...[station.subscription, station.resourceGroup, station.zone, station.name],
    ...[head.epoch, head.number, head.revId],
  );
  db.exec(`
    INSERT INTO stations VALUES (2, 'subscription', 'group', 'zone', 'empty', 'epoch2', 0, '0000000000000000');
    INSERT INTO revisions VALUES
      (1, 6, '6666666666666666', ${oldestMs}), (1, 7, '${head.revId}', ${oldestMs + 1}),
      (2, 0, '0000000000000000', ${oldestMs});
    INSERT INTO resources VALUES
      (1, 1, 'old', 'n1', 'd1', 'resource_type.a', '', 1, 'ALERTSTATE_FIRING', '', '', 2, '2026-01-01T00:00:00.0Z', 3),
      (2, 1, 'odd', 'n2', 'd2', 'resource_type.a', '', 0, 'ALERTSTATE_INACTIVE', '', '', 0, '2026-01-01T00:00:00.0Z', 3),
      (3, 1, 'new', 'n3', 'd3', 'resource_type.b', '', 1, 'ALERTSTATE_INACTIVE', '', '', 0, '2026-01-01T00:00:00.0Z', 6);
    INSERT INTO tombstones VALUES (1, 'gone', 7);
    INSERT INTO resource_types VALUES ('resource_type.a', '{"en":"A"}'), ('resource_type.b', '{}');
    UPDATE meta SET value = '2' WHERE key = 'catalog_revision';
    PRAGMA user_version = 1;
  `);
  db.close();
}
