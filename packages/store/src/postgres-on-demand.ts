import type { Store } from '@roster/engine';
import type { PostgresStoreOptions } from './postgres/create-postgres-store.ts';
import type { SchemaChange } from './shared/schema-version.ts';

// What speaks to PostgreSQL is loaded when it is first used: without one a server starts sooner.

export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const postgres = await import('./postgres/create-postgres-store.ts');
  return postgres.createPostgresStore(options);
}

export async function migratePostgresStore(options: { readonly url: string }): Promise<SchemaChange> {
  const postgres = await import('./postgres/migrate-postgres-store.ts');
  return postgres.migratePostgresStore(options);
}
