import type * as Check from './postgres/check-postgres-store.ts';
import type * as Create from './postgres/create-postgres-store.ts';

// The PostgreSQL client is loaded on first use: a server on SQLite starts sooner without it.
const load = () => import('./postgres/create-postgres-store.ts');

export const createPostgresStore: typeof Create.createPostgresStore = async (options) =>
  (await load()).createPostgresStore(options);

export const migratePostgresStore: typeof Create.migratePostgresStore = async (options) =>
  (await load()).migratePostgresStore(options);

export const checkPostgresStore: typeof Check.checkPostgresStore = async (options) =>
  (await import('./postgres/check-postgres-store.ts')).checkPostgresStore(options);
