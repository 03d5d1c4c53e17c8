import { createSqliteStore } from './index.ts';
import { temporaryDirectory } from './sqlite/testing/temporary-directory.ts';
import { runKnownChanges } from './testing/known-changes-suite.ts';

runKnownChanges(() => createSqliteStore({ directory: temporaryDirectory(), earlyFrom: 1 }));
