import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../../../../testing/scale.ts';
import { aBatch, countResources, put, station } from '../../testing/station-data.ts';
import { createSqliteStore } from '../main/create-sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

async function createWithResources(directory: string): Promise<string> {
  const store = await createSqliteStore({ directory });
  await store.createStation(station);
  await put(store, aBatch(10));
  const { epoch } = store.head(station) as { epoch: string };
  await store.close();
  return epoch;
}

async function openAndRead(directory: string): Promise<{ epoch: string; resources: number }> {
  const store = await createSqliteStore({ directory });
  const { epoch } = store.head(station) as { epoch: string };
  const resources = await countResources(store);
  await store.close();
  return { epoch, resources };
}

shortOnly(it)('keeps the epochs of a database that stayed where it was', async () => {
  const directory = temporaryDirectory();
  const epoch = await createWithResources(directory);
  for (let round = 0; round < 3; round++) {
    expect(await openAndRead(directory)).toEqual({ epoch, resources: 10 });
  }
});

longOnly(it)('gives a database that was copied, with everything beside it, new epochs', async () => {
  const directory = temporaryDirectory();
  const copy = join(temporaryDirectory(), 'copy');
  const epoch = await createWithResources(directory);
  cpSync(directory, copy, { recursive: true });
  const copied = await openAndRead(copy);
  expect(copied.resources).toBe(10);
  expect(copied.epoch).not.toBe(epoch);
  expect(await openAndRead(copy)).toEqual(copied);
  expect((await openAndRead(directory)).epoch).toBe(epoch);
});

longOnly(it)('gives a database whose contents were replaced in place new epochs', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'roster.db');
  const epoch = await createWithResources(directory);
  const backup = readFileSync(file);
  await openAndRead(directory);
  writeFileSync(file, backup);
  expect((await openAndRead(directory)).epoch).not.toBe(epoch);
});

shortOnly(it)('notices a backup from the run that ended last', async () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'roster.db');
  const epoch = await createWithResources(directory);
  const store = await createSqliteStore({ directory });
  const backup = readFileSync(file);
  await put(store, aBatch(10, 'lost'));
  await store.close();
  writeFileSync(file, backup);
  const { epoch: after, resources } = await openAndRead(directory);
  expect(resources).toBe(10);
  expect(after).not.toBe(epoch);
});

shortOnly(it)('gives a database that lost the file beside it new epochs', async () => {
  const directory = temporaryDirectory();
  const epoch = await createWithResources(directory);
  rmSync(join(directory, 'roster.generation'));
  expect((await openAndRead(directory)).epoch).not.toBe(epoch);
});

shortOnly(it)('takes a crash between the two files for what it is', async () => {
  const directory = temporaryDirectory();
  const sidecar = join(directory, 'roster.generation');
  const epoch = await createWithResources(directory);
  const known = readFileSync(sidecar, 'utf8');
  copyFileSync(sidecar, `${sidecar}.new`);
  writeFileSync(sidecar, `${known.trim()}\nannounced-but-not-in-the-database\n`);
  expect((await openAndRead(directory)).epoch).toBe(epoch);
});

longOnly(it)(
  'gives new epochs when the machine went down while the database was open, and not after an orderly end',
  async () => {
    const directory = temporaryDirectory();
    const mark = join(directory, 'roster.mark');
    const epoch = await createWithResources(directory);
    const [writes, end] = readFileSync(mark, 'utf8').trim().split(/ +/);
    expect([Number(writes), end]).toEqual([3, 'closed']);
    expect((await openAndRead(directory)).epoch).toBe(epoch);
    writeFileSync(mark, `${writes!.padStart(16)} ${'another-run-of-the-machine'.padEnd(36)}\n`);
    const { epoch: after, resources } = await openAndRead(directory);
    expect([after === epoch, resources]).toEqual([false, 10]);
  },
);

longOnly(it)(
  'gives new epochs when it has fewer writes than were acknowledged, or nobody knows, and says why',
  async () => {
    const directory = temporaryDirectory();
    const mark = join(directory, 'roster.mark');
    let epoch = await createWithResources(directory);
    const reasons: string[] = [];
    const open = async () => {
      const store = await createSqliteStore({ directory, onNewEpochs: (reason) => reasons.push(reason) });
      const { epoch: found } = store.head(station) as { epoch: string };
      await store.close();
      return found;
    };
    expect(await open()).toBe(epoch);
    const text = readFileSync(mark, 'utf8');
    for (const lose of [() => writeFileSync(mark, text.replace(' 3 ', ' 5 ')), () => rmSync(mark)]) {
      lose();
      const next = await open();
      expect(next).not.toBe(epoch);
      epoch = next;
    }
    expect(await open()).toBe(epoch);
    expect(reasons).toEqual(['2 acknowledged writes are missing', 'roster.mark is missing']);
  },
);

shortOnly(it)('says that everything is missing when the log of a young database is lost', async () => {
  const directory = temporaryDirectory();
  await createWithResources(directory);
  // As the file is until a checkpoint: all is in its log.
  writeFileSync(join(directory, 'roster.db'), '');
  const reasons: string[] = [];
  const open = async () => {
    const store = await createSqliteStore({ directory, onNewEpochs: (reason) => reasons.push(reason) });
    expect(store.head(station)).toBeUndefined();
    await store.close();
  };
  await open();
  await open();
  expect(reasons).toEqual(['all 3 acknowledged writes are missing']);
});

shortOnly(it)('notices a backup of the run that was killed, put back in place', async () => {
  const directory = temporaryDirectory();
  const epoch = await createWithResources(directory);
  const backup = readFileSync(join(directory, 'roster.db'));
  const program = fileURLToPath(new URL('../testing/abrupt-exit-program.ts', import.meta.url));
  spawnSync(process.execPath, [program, directory]);
  const run = readFileSync(join(directory, 'roster.generation'), 'utf8');
  writeFileSync(join(directory, 'roster.db'), backup);
  rmSync(join(directory, 'roster.db-wal'));
  // As if the backup had been made in that run.
  const known = new DatabaseSync(join(directory, 'roster.db'));
  known.prepare("UPDATE meta SET value = ? WHERE key = 'generation'").run(run.trim());
  known.close();
  expect((await openAndRead(directory)).epoch).not.toBe(epoch);
});
