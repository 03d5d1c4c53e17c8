import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStoreContract } from '@roster/engine/store-contract';
import { createSqliteStore } from './create-sqlite-store.ts';

runStoreContract(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'roster-store-'));
  return {
    open: () => createSqliteStore({ directory }),
    dispose: () => rm(directory, { recursive: true, force: true }),
  };
});
