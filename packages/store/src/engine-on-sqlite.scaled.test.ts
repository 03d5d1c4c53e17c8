import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { runEngineSuite } from '@roster/engine/testing';
import { createSqliteStore } from './index.ts';
import { addChecksumFunctions, sealRows } from './sqlite/database/row-checksums.ts';

runEngineSuite(async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-engine-'));
  return {
    open: () => createSqliteStore({ directory }),
    dispose: () => rm(directory, { recursive: true }),
    async execute(sql) {
      const db = new DatabaseSync(path.join(directory, 'roster.db'));
      addChecksumFunctions(db);
      db.exec(sql);
      sealRows(db, 'resources', 'true');
      db.close();
    },
  };
});
