import pg from 'pg';
import { type CheckOptions, type CheckResult, runChecks } from '../check/run-checks.ts';
import { runSnapshot } from './connection/run-transaction.ts';
import { requireDatabaseUrl, useOneSession } from './connection/use-one-session.ts';
import { requireMigrated } from './schema/migrations.ts';
import { rowChecksum } from './schema/row-checksums.ts';

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
    };
    return runChecks(database, options);
  });
}
