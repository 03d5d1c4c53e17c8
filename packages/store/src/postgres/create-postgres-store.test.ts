import { runStoreContract } from '@roster/engine/store-contract';
import { afterAll, beforeAll, describe } from 'vitest';
import { createPostgresStore } from './create-postgres-store.ts';
import { binariesOf15, embeddedBinaries, PostgresServer } from './testing/postgres-server.ts';

const of15 = binariesOf15();
const servers = [
  { name: 'PostgreSQL 18', binaries: embeddedBinaries() },
  {
    name: of15 ? 'PostgreSQL 15' : 'PostgreSQL 15, for which postgresql-15 must be installed',
    binaries: of15,
  },
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
