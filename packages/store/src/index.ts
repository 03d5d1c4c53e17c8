export { type CopyOptions, type CopyResult, copyInventory } from './copy/copy-inventory.ts';
export type { Difference } from './copy/find-differences.ts';
export { type InventorySize, inventorySize } from './copy/inventory-size.ts';
export { type InventoryLocation, locateInventory } from './inventory-location.ts';
export {
  createPostgresStore,
  defaultConnections,
  fewestConnections,
  type PostgresStoreOptions,
} from './postgres/create-postgres-store.ts';
export { InvalidDatabaseUrl, parseDatabaseUrl } from './postgres/parse-database-url.ts';
export type { SchemaChange } from './shared/schema-version.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/create-sqlite-store.ts';
