import { setTimeout as sleep } from 'node:timers/promises';
import { everything } from '@roster/contract';
import { type Batch, type BatchMode, Engine, type StagedRecord, type Store } from '@roster/engine';
import fc from 'fast-check';
import { beforeEach, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import { scale } from '../../../../testing/scale.ts';
import { someRecords } from './some-records.ts';
import { aBatch, put, station } from './station-data.ts';

const size = 2_000;

/** That the index takes in what batches change, and mostly without reading it back. All batches must be staged. */
export function runKnownChanges(openStore: () => Promise<Store>): void {
  let store: Store;
  let engine: Engine;
  /** What the index reads back. */
  let feeds: MockInstance<Store['feed']>;

  beforeEach(async () => {
    store = await openStore();
    onTestFinished(() => store.close());
    engine = new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 });
    await store.createStation(station);
    await put(store, aBatch(20));
    await engine.read(station);
    feeds = vi.spyOn(store, 'feed');
  });

  async function openBatch(records: readonly StagedRecord[], mode: BatchMode = 'merge'): Promise<Batch> {
    const batch = await store.openBatch(station, { mode });
    await batch.add(records);
    return batch;
  }

  /** Every row of the index, and every list, is what the store has. */
  async function expectConsistent(): Promise<void> {
    expect(await engine.check(station)).toEqual({ outcome: 'consistent' });
  }

  async function total(): Promise<number> {
    return (await engine.read(station)).select(everything).total;
  }

  /**
   * Writes until the index knew what changed without reading it back: a commit may be done before its changes are
   * rendered, so not every one is known.
   */
  async function writeUntilKnown(write: (round: number) => Promise<unknown>): Promise<void> {
    for (let round = 0; round < 50; round++) {
      feeds.mockClear();
      await write(round);
      const isKnown = feeds.mock.calls.length === 0;
      await expectConsistent();
      if (isKnown) return;
    }
    expect.fail('the index had to read all changes back');
  }

  it.each(['merge', 'replace'] as const)('knows what a %s changed that removes nothing', async (mode) => {
    await writeUntilKnown(async (round) => {
      const records = aBatch(size + round, 'vm', `round ${round}`);
      await (await openBatch(records, mode)).commit();
      expect(await total()).toBe(size + round);
    });
  });

  it('knows what a patch changed, and with which times', async () => {
    await put(store, aBatch(size));
    const states = ['ALERTSTATE_FIRING', 'ALERTSTATE_PENDING'] as const;
    await writeUntilKnown(async (round) => {
      const records = aBatch(size).map(({ line, record: { resourceId } }) => {
        return { line, record: { resourceId, state: states[round % 2]! } };
      });
      await (await openBatch(records, 'patch')).commit();
    });
  });

  it('reads back what it does not know: removals, and stations that nobody reads', async () => {
    await (await openBatch(aBatch(19), 'replace')).commit();
    expect(await total()).toBe(19);
    expect(feeds).toHaveBeenCalledOnce();
    const idle = new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 });
    feeds.mockClear();
    await (await openBatch(aBatch(30, 'vm', 'changed'))).commit();
    expect((await idle.read(station)).select(everything).total).toBe(30);
    expect(feeds).toHaveBeenCalledOnce();
  });

  it('shows nothing of a batch that fails, is discarded or is planned', async () => {
    const changed = aBatch(30, 'vm', 'changed');
    await expect((await openBatch([...changed, ...aBatch(1)])).commit()).rejects.toMatchObject({
      code: 'invalid_records',
    });
    await (await openBatch(changed)).discard();
    const planned = await openBatch(changed);
    expect(await planned.plan(1)).toMatchObject({ created: 10, updated: 20 });
    expect(await total()).toBe(20);
    await expectConsistent();
    await planned.commit();
    expect(await total()).toBe(30);
    await expectConsistent();
  });

  it('follows batches that are committed at the same time, and small writes beside them', async () => {
    const batches = await Promise.all(
      Array.from({ length: 5 }, (_, at) => openBatch(aBatch(size + at, 'vm', `changed by ${at}`))),
    );
    const removals = Array.from({ length: 10 }, (_, at) => store.removeResource(station, `vm-${at}`));
    await Promise.allSettled([...batches.map((batch) => batch.commit()), ...removals]);
    await expectConsistent();
  });

  it('shows writes in their order while much is read', async () => {
    await put(store, aBatch(size));
    let isOver = false;
    const reading = Array.from({ length: 3 }, async () => {
      while (!isOver) await store.history(station, { limit: 1_000 });
    });
    for (let round = 0; round < scale(8, 20); round++) {
      const batch = await openBatch(aBatch(200, 'vm', `round ${round}`));
      const small = sleep(round % 20).then(() => store.removeResource(station, `vm-${size - 1 - round}`));
      const heads = await Promise.all([batch.commit(), small]);
      const newest = Math.max(...heads.map(({ head }) => head.number));
      expect((await store.head(station))?.number).toBe(newest);
      expect((await engine.read(station)).head.number).toBe(newest);
    }
    isOver = true;
    await Promise.all(reading);
    await expectConsistent();
  });

  it('is what the store has after any batches', async () => {
    const modes = fc.constantFrom<BatchMode[]>('merge', 'replace', 'patch');
    const batches = fc.array(fc.tuple(someRecords, modes), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 20 }), async (each, size) => {
        for (const [records, mode] of each) {
          const batch = await store.openBatch(station, { mode, allowRemoval: 'all' });
          const lines = records.map((record, at) => ({ line: at + 1, record }));
          for (let at = 0; at < lines.length; at += size) await batch.add(lines.slice(at, at + size));
          // Some are refused: they repeat a name, or patch what is not there.
          await batch.commit().catch(() => undefined);
          await expectConsistent();
        }
      }),
      { numRuns: scale(20, 80) },
    );
  });
}
