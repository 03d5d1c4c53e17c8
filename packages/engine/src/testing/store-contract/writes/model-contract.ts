import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import type { Head, Store } from '../../../port/store.ts';
import { aBatchWrite, anyWrites, applyAmong, applyWrite, type Model } from '../fixture/any-write.ts';
import { readAll, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

async function expectFeedToLead(store: Store, from: { head: Head; model: Model }, to: Model): Promise<void> {
  const { put: changed, removed } = await readAll(store, from.head);
  const reached = new Map(from.model);
  for (const resourceId of removed) {
    expect(changed.has(resourceId), `${resourceId} is put or removed`).toBe(false);
    reached.delete(resourceId);
  }
  for (const [resourceId, resource] of changed) reached.set(resourceId, resource);
  expect(reached).toEqual(to);
}

export function modelContract(fixture: StoreFixture): void {
  it('agrees with a plain map after any sequence of writes, and each feed leads from then to now', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, async (writes) => {
        const { store } = fixture;
        await store.deleteStation(station);
        const { head } = await store.createStation(station);
        let model: Model = new Map();
        const moments = [{ head, model }];
        for (const write of writes) {
          model = await applyWrite(store, model, write);
          moments.push({ head: (await store.head(station))!, model });
        }
        expect((await readAll(store)).put).toEqual(model);
        for (const moment of moments) await expectFeedToLead(store, moment, model);
      }),
      { numRuns: scale(15, 40) },
    );
  });

  it('agrees with a plain map after a batch among whose records others write', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, aBatchWrite, anyWrites, async (earlier, batch, others) => {
        const { store } = fixture;
        await store.deleteStation(station);
        await store.createStation(station);
        let model: Model = new Map();
        for (const write of earlier) model = await applyWrite(store, model, write);
        model = await applyAmong(others, store, model, batch);
        expect((await readAll(store)).put).toEqual(model);
      }),
      { numRuns: scale(15, 40) },
    );
  });
}
