import type { Store } from '@roster/engine';
import type { CheckOptions, CheckResult } from './check/run-checks.ts';
import type { PostgresStoreOptions } from './postgres/create-postgres-store.ts';
import type { SchemaChange } from './shared/schema-version.ts';

// The PostgreSQL client is loaded on first use: a server on SQLite starts sooner without it.

export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const postgres = await import('./postgres/create-postgres-store.ts');
  return postgres.createPostgresStore(options);
}

export async function migratePostgresStore(options: { readonly url: string }): Promise<SchemaChange> {
  const postgres = await import('./postgres/migrate-postgres-store.ts');
  return postgres.migratePostgresStore(options);
}

export async function checkPostgresStore(
  options: CheckOptions & { readonly url: string },
): Promise<CheckResult> {
  const postgres = await import('./postgres/check-postgres-store.ts');
  return postgres.checkPostgresStore(options);
}
