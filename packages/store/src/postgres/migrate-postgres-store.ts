import type { SchemaChange } from '../shared/schema-version.ts';
import { requireDatabaseUrl, useOneSession } from './connection/use-one-session.ts';
import { migrate } from './schema/migrations.ts';

/** Migrates a database, even beside running nodes. Throws `store_unavailable` with the reason. */
export async function migratePostgresStore(options: { readonly url: string }): Promise<SchemaChange> {
  const address = requireDatabaseUrl(options.url);
  return useOneSession(address, (client) => migrate(client, address.server));
}
