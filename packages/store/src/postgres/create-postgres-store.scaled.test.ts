import { runStoreContract } from '@roster/engine/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { scale } from '../../../../testing/scale.ts';
import { createPostgresStore } from './create-postgres-store.ts';
import { damageRows } from './testing/damage-rows.ts';
import { binariesOf15, embeddedBinaries, PostgresServer } from './testing/postgres-server.ts';

const version18 = { name: 'PostgreSQL 18', findBinaries: embeddedBinaries, options: {}, stagesAll: false };
const staged = {
  name: 'PostgreSQL 18, with every batch staged',
  findBinaries: embeddedBinaries,
  options: { maxDirectRecords: 0 },
  stagesAll: true,
};
const version15 = {
  name: 'PostgreSQL 15 (needs apt-get install postgresql-15)',
  findBinaries: binariesOf15,
  options: {},
  stagesAll: false,
};

// Long tests leave out what the short ones run; version 15 and staged batches get the large sizes.
for (const { name, findBinaries, options, stagesAll } of scale([version18], [staged, version15])) {
  const binaries = findBinaries();

  describe.skipIf(!binaries)(name, () => {
    let server: PostgresServer;

    beforeAll(async () => {
      server = await PostgresServer.start({ binaries: binaries! });
    });
    afterAll(() => server[Symbol.asyncDispose]());

    runStoreContract(
      async () => {
        const url = await server.createDatabase();
        return {
          open: () => createPostgresStore({ url, ...options }),
          damage: (update) => damageRows(server, url, update),
          dispose: async () => undefined,
        };
      },
      { shared: true, stagesAll },
    );
  });
}
