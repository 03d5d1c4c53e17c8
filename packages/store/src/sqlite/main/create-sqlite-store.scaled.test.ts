import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStoreContract } from '@roster/engine/testing';
import { describe } from 'vitest';
import { scale } from '../../../../../testing/scale.ts';
import { damageRows } from '../testing/damage-rows.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

const asItIs = { name: 'a store', options: {}, traits: {} };
const early = {
  name: 'a store that stages every batch, and writes first imports early',
  options: { earlyFrom: 1 },
  traits: { stagesAll: true },
};

describe.each(scale([asItIs], [asItIs, early]))('$name', ({ options, traits }) => {
  runStoreContract(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'roster-store-'));
    return {
      open: () => createSqliteStore({ directory, ...options }),
      damage: async (update) => damageRows(directory, update),
      dispose: () => rm(directory, { recursive: true, force: true }),
    };
  }, traits);
});
