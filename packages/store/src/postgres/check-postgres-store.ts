import pg, { type ClientBase } from 'pg';
import { type CheckOptions, type CheckResult, runChecks } from '../check/run-checks.ts';
import { runSnapshot } from './connection/run-transaction.ts';
import { requireDatabaseUrl, useOneSession } from './connection/use-one-session.ts';
import { requireMigrated } from './schema/migrations.ts';
import { isAlerting } from './schema/resource-columns.ts';
import { rowChecksum } from './schema/row-checksums.ts';

/** Searches find alerting resources by the table that names them. */
async function findUnnamed(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM resources r WHERE r.${isAlerting} AND NOT EXISTS (
       SELECT 1 FROM alerting a WHERE a.station_id = r.station_id AND a.resource_id = r.resource_id
     )`,
  );
  const { count } = rows[0]!;
  return count === 0 ? [] : [`the table alerting lacks ${count} of its resources`];
}

/** Verifies the data in a database. It only reads, and can run beside nodes. */
export async function checkPostgresStore(
  options: CheckOptions & { readonly url: string },
): Promise<CheckResult> {
  const address = requireDatabaseUrl(options.url);
  return useOneSession(address, async (client) => {
    await requireMigrated(client, address.server);
    const database = {
      query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
      rowChecksum,
      isDamage: (error: unknown) =>
        error instanceof pg.DatabaseError && error.code?.startsWith('XX') === true,
      inOneState: <T>(read: () => Promise<T>) => runSnapshot(client, read),
      resources: 'resources',
      structure: () => findUnnamed(client),
    };
    return runChecks(database, options);
  });
}
