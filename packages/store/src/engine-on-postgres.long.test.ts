import { runEngineSuite, runEverywhereSuite } from '@roster/engine/testing';
import { describe } from 'vitest';
import { createPostgresStore } from './index.ts';
import { useServer } from './postgres/testing/use-server.ts';

const fixture = useServer();

async function createData() {
  const url = await fixture.server.createDatabase();
  return {
    open: () => createPostgresStore({ url }),
    dispose: async () => undefined,
    execute: async (sql: string) => void (await fixture.server.query(sql, url)),
  };
}

describe('the engine', () => runEngineSuite(createData, { shared: true }));
describe('searches everywhere', () => runEverywhereSuite(createData));
