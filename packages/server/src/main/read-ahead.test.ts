import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Engine, SavedSnapshots } from '@roster/engine';
import { createSqliteStore } from '@roster/store';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { TestServer } from '../testing/test-server.ts';
import { readAhead } from './read-ahead.ts';

const sizes = { small: 9_999, large: 10_000, largest: 12_000 };
const mebibyte = 2 ** 20;
let filled: string;

beforeAll(async () => {
  filled = newDirectory();
  const store = await createSqliteStore({ directory: filled });
  for (const [name, size] of Object.entries(sizes)) {
    const address = { subscription: 's', resourceGroup: 'g', zone: 'z', name };
    await store.createStation(address);
    const batch = await store.openBatch(address);
    const typeKey = 'resource_type.compute.vm';
    const line = (at: number) => ({
      line: at,
      record: { resourceId: `r-${at}`, name: `n-${at}`, typeKey },
    });
    await batch.add(Array.from({ length: size }, (_, at) => line(at + 1)));
    await batch.commit();
  }
  await store.close();
});
afterAll(() => rmSync(filled, { recursive: true }));

function newDirectory(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'roster-read-ahead-'));
}

/** The three stations, in a directory for this test alone. */
function copyOfFilled(): string {
  const directory = newDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(filled, directory, { recursive: true });
  return directory;
}

/** Reads ahead until there is nothing left to read; returns how many resources are in memory then. */
async function resourcesReadAhead(directory: string, maxBytes: number): Promise<number> {
  const store = await createSqliteStore({ directory });
  try {
    const engine = new Engine(store, { memoryBudgetBytes: 2 * maxBytes, snapshotRetentionMs: 60_000 });
    const onUnreadable = (_: unknown, error: unknown) => {
      throw error;
    };
    const saved = new SavedSnapshots({
      directory: path.join(directory, 'snapshots'),
      writtenBy: '1',
      onUnreadable,
    });
    await readAhead({ store, engine, saved, logger: pino({ level: 'silent' }) });
    return engine.size().resources;
  } finally {
    await store.close();
  }
}

it.each([
  ['all large stations, and no others', 512, sizes.large + sizes.largest],
  ['the largest station if only one fits', 12, sizes.largest],
  ['a smaller one if the largest does not fit', 11, sizes.large],
  ['nothing if nothing fits', 9, 0],
])('reads %s', async (_, megabytes, resources) => {
  expect(await resourcesReadAhead(copyOfFilled(), megabytes * mebibyte)).toBe(resources);
});

it('removes saved snapshots of stations that no longer exist', async () => {
  const directory = copyOfFilled();
  const snapshots = path.join(directory, 'snapshots');
  mkdirSync(snapshots, { recursive: true });
  writeFileSync(path.join(snapshots, `${'a'.repeat(64)}.snapshot`), 'of a station that was deleted');
  await resourcesReadAhead(directory, 512 * mebibyte);
  expect(readdirSync(snapshots)).toEqual([]);
});

it('begins when the server starts', async () => {
  await using server = await TestServer.start({ ROSTER_DATA: copyOfFilled() });
  const indexed = async () => {
    const text = await (await fetch(server.metricsUrl)).text();
    return Number(/^roster_index_resources (\d+)$/m.exec(text)![1]);
  };
  await expect.poll(indexed, { timeout: 60_000 }).toBe(sizes.large + sizes.largest);
});

it('can be stopped while it reads, and leaves the data as they were', async () => {
  const directory = copyOfFilled();
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line) => void lines.push(line) });
  for (let round = 0; round < 3; round++) {
    const server = await TestServer.start({ ROSTER_DATA: directory }, undefined, logger);
    await server.stop(600_000);
  }
  expect(lines).toEqual([]);
  expect(await resourcesReadAhead(directory, 512 * mebibyte)).toBe(sizes.large + sizes.largest);
});
