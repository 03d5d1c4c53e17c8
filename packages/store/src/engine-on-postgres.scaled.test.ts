import { runEngineSuite } from '@roster/engine/testing';
import { createPostgresStore } from './index.ts';
import { useServer } from './postgres/testing/use-server.ts';

const fixture = useServer();

runEngineSuite(
  async () => {
    const url = await fixture.server.createDatabase();
    return {
      open: () => createPostgresStore({ url }),
      dispose: async () => undefined,
      execute: async (sql) => void (await fixture.server.query(sql, url)),
    };
  },
  { shared: true },
);
