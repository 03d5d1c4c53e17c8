import { everything } from '@roster/contract';
import { Engine } from '@roster/engine';
import { expect, it, vi } from 'vitest';
import { useServer } from './postgres/testing/use-server.ts';
import { runKnownChanges } from './testing/known-changes-suite.ts';
import { aBatch, put, station } from './testing/station-data.ts';

const fixture = useServer();
const options = { maxDirectRecords: 0, connections: 20 };

runKnownChanges(() => fixture.open(options));

it('reads back in pieces what is much text, although the batch itself is small', async () => {
  const store = await fixture.open(options);
  const engine = new Engine(store, { memoryBudgetBytes: 1e9, snapshotRetentionMs: 60_000 });
  await store.createStation(station);
  const labels = JSON.stringify({ note: 'x'.repeat(10_000) });
  await put(
    store,
    aBatch(1_000).map(({ line, record }) => ({ line, record: { ...record, labels } })),
  );
  await engine.read(station);
  const feeds = vi.spyOn(store, 'feed');
  const batch = await store.openBatch(station, { mode: 'patch' });
  await batch.add(
    aBatch(1_000).map(({ line, record: { resourceId } }) => {
      return { line, record: { resourceId, state: 'ALERTSTATE_FIRING' } };
    }),
  );
  await batch.commit();
  expect((await engine.read(station)).select(everything).total).toBe(1_000);
  expect(feeds).toHaveBeenCalledOnce();
  expect(await engine.check(station)).toEqual({ outcome: 'consistent' });
});
