export type { CheckResult, Damage } from './check/run-checks.ts';
export { type CopyOptions, type CopyResult, copyInventory } from './copy/copy-inventory.ts';
export type { Difference } from './copy/find-differences.ts';
export { type InventorySize, inventorySize, viewsToCopy } from './copy/inventory-size.ts';
export { type InventoryLocation, locateInventory } from './inventory-location.ts';
export {
  defaultConnections,
  fewestConnections,
  InvalidDatabaseUrl,
  parseDatabaseUrl,
} from './postgres/connection/parse-database-url.ts';
export { createPostgresStore } from './postgres-on-demand.ts';
export type { SchemaChange } from './shared/schema-version.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/main/create-sqlite-store.ts';
