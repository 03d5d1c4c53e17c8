export { type CopyOptions, type CopyResult, copyInventory } from './copy/copy-inventory.ts';
export type { Difference } from './copy/find-differences.ts';
export { type InventorySize, inventorySize } from './copy/inventory-size.ts';
export { type InventoryLocation, locateInventory } from './inventory-location.ts';
export { defaultConnections, fewestConnections } from './postgres/connection-counts.ts';
export { InvalidDatabaseUrl, parseDatabaseUrl } from './postgres/parse-database-url.ts';
export { createPostgresStore } from './postgres-on-demand.ts';
export type { SchemaChange } from './shared/schema-version.ts';
export { createSqliteStore, type SqliteStoreOptions } from './sqlite/create-sqlite-store.ts';
