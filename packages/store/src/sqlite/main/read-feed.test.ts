import { expect, it, onTestFinished } from 'vitest';
import { aBatch, put, station } from '../../testing/station-data.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { createSqliteStore } from './create-sqlite-store.ts';

async function storeOf(count: number) {
  const store = await createSqliteStore({ directory: temporaryDirectory() });
  onTestFinished(() => store.close());
  await store.createStation(station);
  await put(store, aBatch(count));
  return store;
}

it('gives a part back when the next one is asked for, and at the end', async () => {
  const store = await storeOf(5_000);
  const given: ArrayBuffer[] = [];
  for await (const { put: resources } of (await store.feed(station)).chunks) {
    expect(given.every(({ detached }) => detached)).toBe(true);
    const buffer = resources.columns.bytes.buffer as ArrayBuffer;
    expect(buffer.detached).toBe(false);
    given.push(buffer);
  }
  expect(given).toHaveLength(3);
  expect(given.every(({ detached }) => detached)).toBe(true);
});

it('gives a part back to whoever leaves early, and goes on for who has moved it elsewhere', async () => {
  const store = await storeOf(5_000);
  let left: ArrayBuffer | undefined;
  for await (const { put: resources } of (await store.feed(station)).chunks) {
    left = resources.columns.bytes.buffer as ArrayBuffer;
    break;
  }
  expect(left!.detached).toBe(true);
  let count = 0;
  for await (const { put: resources } of (await store.feed(station)).chunks) {
    (resources.columns.bytes.buffer as ArrayBuffer).transfer();
    count += resources.length;
  }
  expect(count).toBe(5_000);
});
