import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStoreContract } from '@roster/engine/store-contract';
import { describe } from 'vitest';
import { createSqliteStore } from './create-sqlite-store.ts';

describe.each([
  ['as it comes', {}],
  ['that writes every first import early', { earlyFrom: 1 }],
])('a store %s', (_, options) => {
  runStoreContract(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'roster-store-'));
    return {
      open: () => createSqliteStore({ directory, ...options }),
      dispose: () => rm(directory, { recursive: true, force: true }),
    };
  });
});
