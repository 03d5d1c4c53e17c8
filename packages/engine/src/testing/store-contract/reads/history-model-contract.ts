import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scale } from '../../../../../../testing/scale.ts';
import type { Change } from '../../../port/store.ts';
import { anyWrites, applyWrite, isSame, type Model } from '../fixture/any-write.ts';
import { station } from '../fixture/contract-data.ts';
import type { StoreFixture } from '../fixture/store-fixture.ts';
import { readHistory } from './history-contract.ts';

/** Applies changes to a state, each of which must be one, and must begin where the last one ended. */
function replay(from: Model, changes: readonly Change[]): Model {
  const state = new Map(from);
  for (const { before, after } of changes) {
    const { resourceId } = (after ?? before)!;
    expect(before).toEqual(state.get(resourceId));
    expect(before && after && isSame(before, after)).not.toBe(true);
    if (after) state.set(resourceId, after);
    else state.delete(resourceId);
  }
  return state;
}

function idsOf(changes: readonly Change[]): string[] {
  return changes.map(({ before, after }) => (after ?? before)!.resourceId);
}

export function historyModelContract(fixture: StoreFixture): void {
  it('leads through every state of the station, whatever was written and however it is paged', async () => {
    await fc.assert(
      fc.asyncProperty(anyWrites, fc.integer({ min: 1, max: 3 }), async (writes, limit) => {
        const { store } = fixture;
        await store.deleteStation(station);
        const { head: begin } = await store.createStation(station);
        const models = new Map<number, Model>([[0, new Map()]]);
        let model: Model = new Map();
        for (const write of writes) {
          model = await applyWrite(store, model, write);
          models.set((await store.head(station))!.number, model);
        }
        const changes = await readHistory(store, { since: begin, limit });
        const revisions = changes.map(({ revision }) => revision);
        expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
        for (let revision = 1; revision < models.size; revision++) {
          const ofRevision = changes.filter((change) => change.revision === revision);
          expect(new Set(idsOf(ofRevision)).size).toBe(ofRevision.length);
          expect(replay(models.get(revision - 1)!, ofRevision)).toEqual(models.get(revision));
        }
        for (const resourceId of new Set(idsOf(changes))) {
          const own = await readHistory(store, { since: begin, resourceId, limit });
          expect(own).toEqual(changes.filter((change) => idsOf([change])[0] === resourceId));
        }
      }),
      { numRuns: scale(8, 30) },
    );
  });
}
