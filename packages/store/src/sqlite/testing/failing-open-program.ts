import { createSqliteStore } from '../main/create-sqlite-store.ts';

/** Says why a store cannot be opened, twice, and then has nothing left to do. */
const options = { directory: process.argv[2]!, readOnly: process.argv[3] === 'read-only' };
for (let attempt = 0; attempt < 2; attempt++) {
  await createSqliteStore(options).catch((error: Error) => process.stdout.write(`${error.message}\n`));
}
