export {
  createPostgresStore,
  defaultConnections,
  fewestConnections,
  type PostgresStoreOptions,
} from './postgres/create-postgres-store.ts';
export { InvalidDatabaseUrl, parseDatabaseUrl } from './postgres/parse-database-url.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/create-sqlite-store.ts';
