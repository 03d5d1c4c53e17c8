import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runEngineSuite, runEverywhereSuite } from '@roster/engine/testing';
import { describe } from 'vitest';
import { createSqliteStore } from './index.ts';
import { addChecksumFunctions, sealRows } from './sqlite/database/row-checksums.ts';

async function createData() {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-engine-'));
  return {
    open: () => createSqliteStore({ directory }),
    dispose: () => rm(directory, { recursive: true }),
    async execute(sql: string) {
      const db = new DatabaseSync(path.join(directory, 'roster.db'));
      addChecksumFunctions(db);
      db.exec(sql);
      sealRows(db, 'resources', 'true');
      db.close();
    },
  };
}

describe('the engine', () => runEngineSuite(createData));
describe('searches everywhere', () => runEverywhereSuite(createData));
