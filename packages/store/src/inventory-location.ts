import { resolve } from 'node:path';
import type { Store } from '@roster/engine/port';
import type { CheckOptions, CheckResult } from './check/run-checks.ts';
import {
  fewestConnections,
  InvalidDatabaseUrl,
  parseDatabaseUrl,
} from './postgres/connection/parse-database-url.ts';
import { checkPostgresStore, createPostgresStore, migratePostgresStore } from './postgres-on-demand.ts';
import type { SchemaChange } from './shared/schema-version.ts';
import { checkSqliteStore } from './sqlite/main/check-sqlite-store.ts';
import { createSqliteStore } from './sqlite/main/create-sqlite-store.ts';
import { migrateSqliteStore } from './sqlite/main/migrate-sqlite-store.ts';

/** Where an inventory is kept, in either database. */
export interface InventoryLocation {
  /** For people; never contains a password. */
  readonly name: string;
  /** Opens it for one task beside running nodes, with as few connections as possible. */
  open(options?: { readonly readOnly?: boolean }): Promise<Store>;
  /** Migrates the data without opening it. */
  migrate(): Promise<SchemaChange>;
  /** Verifies the data, even while it is in use. Throws `data_damaged` when it cannot be opened at all. */
  check(options?: CheckOptions): Promise<CheckResult>;
}

/** Takes `sqlite:DIRECTORY` or `postgres://…`. Throws `InvalidDatabaseUrl`, which never repeats the input. */
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
    check: (options) => checkPostgresStore({ url, ...options }),
  };
}

function inDirectory(given: string): InventoryLocation {
  if (given === '') throw new InvalidDatabaseUrl('must name a directory, as in sqlite:./data');
  const directory = resolve(given);
  return {
    name: directory,
    open: (options) => createSqliteStore({ directory, ...options }),
    migrate: async () => migrateSqliteStore({ directory }),
    check: (options) => checkSqliteStore({ directory, ...options }),
  };
}
