import { beforeEach, expect, it } from 'vitest';
import { aRecord, put, readOne, station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';

export function resourceContract(fixture: StoreFixture): void {
  beforeEach(async () => {
    await fixture.store.createStation(station);
  });

  it('reads a resource with the revision and the time of its last change', async () => {
    const { store } = fixture;
    const before = Date.now();
    const { head } = await put(store, [aRecord('a', { sku: 'large' }), aRecord('b')]);
    await put(store, [aRecord('a'), aRecord('b', { sku: 'new' })]);
    const { resource, revision, changedAtMs } = await store.resource(station, 'a');
    expect(resource).toEqual(await readOne(store, 'a'));
    expect(revision).toEqual({ epoch: head.epoch, number: 1 });
    expect(changedAtMs).toBeGreaterThanOrEqual(before);
    expect(changedAtMs).toBeLessThanOrEqual(Date.now());
    expect((await store.resource(station, 'b')).revision.number).toBe(2);
  });

  it('finds none that was never there or is gone', async () => {
    const { store } = fixture;
    await put(store, [aRecord('a')]);
    await store.removeResource(station, 'a');
    for (const id of ['a', 'b', '']) {
      await expect(store.resource(station, id)).rejects.toMatchObject({ code: 'resource_not_found' });
    }
  });

  it('shows every write that was acknowledged', async () => {
    const { store } = fixture;
    for (let round = 0; round < 20; round++) {
      await put(store, [aRecord('a', { alertRulesCount: round })]);
      expect((await store.resource(station, 'a')).resource.alertRulesCount).toBe(round);
    }
  });
}
