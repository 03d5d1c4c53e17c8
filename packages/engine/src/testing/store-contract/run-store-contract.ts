import { describe } from 'vitest';
import { catalogContract } from './catalog-contract.ts';
import { damageContract, damagedTypeContract } from './damage-contract.ts';
import { durabilityContract } from './durability-contract.ts';
import { type CreateStore, type StoreTraits, useNewStore, useSharedStore } from './fixture/store-fixture.ts';
import { noteContract } from './note-contract.ts';
import { compactionContract } from './reads/compaction-contract.ts';
import { feedContract } from './reads/feed-contract.ts';
import { historyContract } from './reads/history-contract.ts';
import { historyModelContract } from './reads/history-model-contract.ts';
import { partsContract } from './reads/parts-contract.ts';
import { resourceContract } from './reads/resource-contract.ts';
import { allStationsContract } from './stations/all-stations-contract.ts';
import { countsContract } from './stations/counts-contract.ts';
import { stationContract } from './stations/station-contract.ts';
import { stationListContract } from './stations/station-list-contract.ts';
import { visibilityContract } from './stations/visibility-contract.ts';
import { firstTokenContract, tokenContract } from './token-contract.ts';
import { trendContract } from './trend-contract.ts';
import { viewContract } from './view-contract.ts';
import { batchContract } from './writes/batch-contract.ts';
import { conditionContract } from './writes/condition-contract.ts';
import { conflictContract } from './writes/conflict-contract.ts';
import { modelContract } from './writes/model-contract.ts';
import { patchContract } from './writes/patch-contract.ts';
import { planContract } from './writes/plan-contract.ts';
import { replaceContract } from './writes/replace-contract.ts';
import { sharedCommitContract } from './writes/shared-commit-contract.ts';

/**
 * What every implementation of `Store` promises, as tests. Call it from a test file of the implementation. How it writes
 * batches changes nothing of what is beside them, so a store that stages all is not asked for that.
 */
export function runStoreContract(createStore: CreateStore, traits: StoreTraits = {}): void {
  describe('the store contract', () => {
    describe('with one store for all', () => {
      const fixture = useSharedStore(createStore);
      describe('counts', () => countsContract(fixture));
      describe('batches', () => batchContract(fixture));
      describe('shared commits', () => sharedCommitContract(fixture, traits));
      describe('patches', () => patchContract(fixture));
      describe('replacing', () => replaceContract(fixture));
      describe('conditions', () => conditionContract(fixture));
      describe('plans', () => planContract(fixture));
      describe('conflicts', () => conflictContract(fixture));
      describe('feeds', () => feedContract(fixture));
      describe('parts', () => partsContract(fixture));
      describe('histories', () => historyContract(fixture));
      describe('histories of a model', () => historyModelContract(fixture));
      describe('resources', () => resourceContract(fixture));
      describe('compaction', () => compactionContract(fixture));
      describe('a model', () => modelContract(fixture));
      describe('visibility', () => visibilityContract(fixture, traits));
      describe('the type catalog', () => catalogContract(fixture));
    });
    describe('with one store for all damage', () => {
      damageContract(useSharedStore(createStore));
    });
    describe('with a new store for each', () => {
      const fixture = useNewStore(createStore);
      describe('durability', () => durabilityContract(fixture));
    });
    if (!traits.stagesAll) describe('beside batches', () => contractBesideBatches(createStore));
  });
}

function contractBesideBatches(createStore: CreateStore): void {
  describe('with one store for all', () => {
    const fixture = useSharedStore(createStore);
    describe('stations', () => stationContract(fixture));
    describe('lists of stations', () => stationListContract(fixture));
    describe('all stations', () => allStationsContract(fixture));
    describe('views', () => viewContract(fixture));
    describe('notes', () => noteContract(fixture));
    describe('trends', () => trendContract(fixture));
    describe('tokens', () => tokenContract(fixture));
  });
  describe('with a new store for each', () => {
    const fixture = useNewStore(createStore);
    describe('the first token', () => firstTokenContract(fixture));
    describe('a damaged type', () => damagedTypeContract(fixture));
  });
}
