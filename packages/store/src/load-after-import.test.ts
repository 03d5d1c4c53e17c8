import { everything } from '@roster/contract';
import { Engine } from '@roster/engine';
import { expect, it, onTestFinished } from 'vitest';
import { createSqliteStore } from './sqlite/main/create-sqlite-store.ts';
import { temporaryDirectory } from './sqlite/testing/temporary-directory.ts';
import { noteBuilds } from './testing/note-builds.ts';
import { aBatch, put, station } from './testing/station-data.ts';

async function importInto(memoryBudgetBytes: number): Promise<{ engine: Engine; built: string[] }> {
  const store = await createSqliteStore({ directory: temporaryDirectory() });
  onTestFinished(() => store.close());
  const built: string[] = [];
  const engine = new Engine(store, {
    memoryBudgetBytes,
    snapshotRetentionMs: 60_000,
    observer: noteBuilds(built),
  });
  await store.createStation(station);
  await put(store, aBatch(10_000));
  return { engine, built };
}

it('loads a large import at once, before anyone reads it', async () => {
  const { engine, built } = await importInto(1e9);
  await expect.poll(() => engine.size().resources).toBe(10_000);
  expect((await engine.read(station)).select(everything).total).toBe(10_000);
  expect(built).toEqual(['import']);
});

it('leaves an import alone that does not fit into half of the memory', async () => {
  const { engine, built } = await importInto(12e6);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(built).toEqual([]);
  expect((await engine.read(station)).select(everything).total).toBe(10_000);
});
