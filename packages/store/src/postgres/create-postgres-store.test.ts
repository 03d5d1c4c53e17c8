import { runStoreContract } from '@roster/engine/store-contract';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPostgresStore } from './create-postgres-store.ts';
import { binariesOf15, embeddedBinaries, PostgresServer } from './testing/postgres-server.ts';

const servers = [
  { name: 'PostgreSQL 18', binaries: embeddedBinaries() },
  { name: 'PostgreSQL 15 (skipped unless the package postgresql-15 is installed)', binaries: binariesOf15() },
];

for (const { name, binaries } of servers) {
  describe.skipIf(!binaries)(name, () => {
    let server: PostgresServer;

    beforeAll(async () => {
      server = await PostgresServer.start({ binaries: binaries! });
    });
    afterAll(() => server[Symbol.asyncDispose]());

    runStoreContract(
      async () => {
        const url = await server.createDatabase();
        return { open: () => createPostgresStore({ url }), dispose: async () => undefined };
      },
      { shared: true },
    );
  });
}
