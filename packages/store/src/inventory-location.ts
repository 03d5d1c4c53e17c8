import { resolve } from 'node:path';
import type { Store } from '@roster/engine';
import { fewestConnections } from './postgres/connection-counts.ts';
import { InvalidDatabaseUrl, parseDatabaseUrl } from './postgres/parse-database-url.ts';
import { createPostgresStore, migratePostgresStore } from './postgres-on-demand.ts';
import type { SchemaChange } from './shared/schema-version.ts';
import { createSqliteStore } from './sqlite/create-sqlite-store.ts';
import { migrateSqliteStore } from './sqlite/migrate-sqlite-store.ts';

/** Where an inventory is kept, whatever keeps it. */
export interface InventoryLocation {
  /** For people, without any password. */
  readonly name: string;
  /** For one purpose, beside the nodes that may use it: with as few connections as there can be. */
  open(options?: { readonly readOnly?: boolean }): Promise<Store>;
  /** Brings the data up to date, without opening it. */
  migrate(): Promise<SchemaChange>;
}

/** Of `sqlite:DIRECTORY` or `postgres://…`. Throws `InvalidDatabaseUrl`, which never repeats what was given. */
export function locateInventory(url: string): InventoryLocation {
  if (url.startsWith('sqlite:')) return inDirectory(url.slice('sqlite:'.length));
  if (!/^postgres(ql)?:/.test(url)) {
    throw new InvalidDatabaseUrl(
      'must be sqlite:DIRECTORY, or like postgres://user:password@host:5432/database',
    );
  }
  const { server } = parseDatabaseUrl(url);
  return {
    name: server,
    open: (options) => createPostgresStore({ url, connections: fewestConnections, ...options }),
    migrate: () => migratePostgresStore({ url }),
  };
}

function inDirectory(given: string): InventoryLocation {
  if (given === '') throw new InvalidDatabaseUrl('must name a directory, as in sqlite:./data');
  const directory = resolve(given);
  return {
    name: directory,
    open: (options) => createSqliteStore({ directory, ...options }),
    migrate: async () => migrateSqliteStore({ directory }),
  };
}
