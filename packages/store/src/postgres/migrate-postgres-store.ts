import type { SchemaChange } from '../shared/schema-version.ts';
import { migrate } from './migrations.ts';
import { requireDatabaseUrl, useOneSession } from './use-one-session.ts';

/** Brings a database up to date, beside nodes that use it. Throws `store_unavailable` with what stands in the way. */
export async function migratePostgresStore(options: { readonly url: string }): Promise<SchemaChange> {
  const address = requireDatabaseUrl(options.url);
  return useOneSession(address, (client) => migrate(client, address.server));
}
