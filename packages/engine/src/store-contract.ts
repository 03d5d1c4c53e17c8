import { describe } from 'vitest';
import { batchContract } from './store-contract/batch-contract.ts';
import { catalogContract } from './store-contract/catalog-contract.ts';
import { compactionContract } from './store-contract/compaction-contract.ts';
import { conditionContract } from './store-contract/condition-contract.ts';
import { conflictContract } from './store-contract/conflict-contract.ts';
import { countsContract } from './store-contract/counts-contract.ts';
import { durabilityContract } from './store-contract/durability-contract.ts';
import { feedContract } from './store-contract/feed-contract.ts';
import { historyContract } from './store-contract/history-contract.ts';
import { historyModelContract } from './store-contract/history-model-contract.ts';
import { modelContract } from './store-contract/model-contract.ts';
import { planContract } from './store-contract/plan-contract.ts';
import { replaceContract } from './store-contract/replace-contract.ts';
import { resourceContract } from './store-contract/resource-contract.ts';
import { stationContract } from './store-contract/station-contract.ts';
import { stationListContract } from './store-contract/station-list-contract.ts';
import {
  type CreateStore,
  type StoreTraits,
  useNewStore,
  useSharedStore,
} from './store-contract/store-fixture.ts';
import { tokenContract } from './store-contract/token-contract.ts';
import { visibilityContract } from './store-contract/visibility-contract.ts';

export type { CreateStore, StoreTraits, StoreUnderTest } from './store-contract/store-fixture.ts';

/** What every implementation of `Store` promises, as tests. Call it from a test file of the implementation. */
export function runStoreContract(createStore: CreateStore, traits: StoreTraits = {}): void {
  describe('the store contract', () => {
    describe('with one store for all', () => {
      const fixture = useSharedStore(createStore);
      describe('stations', () => stationContract(fixture));
      describe('lists of stations', () => stationListContract(fixture));
      describe('counts', () => countsContract(fixture));
      describe('batches', () => batchContract(fixture));
      describe('replacing', () => replaceContract(fixture));
      describe('conditions', () => conditionContract(fixture));
      describe('plans', () => planContract(fixture));
      describe('conflicts', () => conflictContract(fixture));
      describe('feeds', () => feedContract(fixture));
      describe('histories', () => historyContract(fixture));
      describe('histories of a model', () => historyModelContract(fixture));
      describe('resources', () => resourceContract(fixture));
      describe('compaction', () => compactionContract(fixture));
      describe('a model', () => modelContract(fixture));
      describe('visibility', () => visibilityContract(fixture, traits));
    });
    describe('with a new store for each', () => {
      const fixture = useNewStore(createStore);
      describe('the type catalog', () => catalogContract(fixture));
      describe('tokens', () => tokenContract(fixture));
      describe('durability', () => durabilityContract(fixture));
    });
  });
}
