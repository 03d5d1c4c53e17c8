import type { Store } from '@roster/engine';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { createPostgresStore, type PostgresStoreOptions } from '../create-postgres-store.ts';
import { PostgresServer, type ServerOptions } from './postgres-server.ts';

export interface ServerFixture {
  readonly server: PostgresServer;
  /** Opens a store that is closed after the test: a new database, unless `url` names one. */
  open(options?: Partial<PostgresStoreOptions>): Promise<Store>;
}

/** One server for all tests of a file. */
export function useServer(options: ServerOptions = {}): ServerFixture {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await PostgresServer.start(options);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  return {
    get server() {
      return server!;
    },
    async open(given = {}) {
      const url = given.url ?? (await server!.createDatabase());
      const store = await createPostgresStore({ connections: 8, ...given, url });
      onTestFinished(() => store.close());
      return store;
    },
  };
}
