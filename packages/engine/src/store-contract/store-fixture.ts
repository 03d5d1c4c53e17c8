import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Store } from '../store.ts';
import { allStations } from './contract-data.ts';

/** One set of data and the way to open it. */
export interface StoreUnderTest {
  /** Opens the data; after a `close`, the same data again. */
  open(): Promise<Store>;
  /** Throws the data away. All its stores are closed by then. */
  dispose(): Promise<void>;
}

export type CreateStore = () => Promise<StoreUnderTest>;

export interface StoreTraits {
  /** Several nodes can have the same data open, so that a commit is visible at once. */
  readonly shared?: boolean;
}

export interface StoreFixture {
  /** The store that is open in the current test. */
  readonly store: Store;
  reopen(): Promise<Store>;
}

/** A new, empty store for every test. */
export function useNewStore(createStore: CreateStore): StoreFixture {
  return useStore(createStore, beforeEach, afterEach);
}

/** One store for all tests of a group, without stations at the beginning of each. Opening one takes a while. */
export function useSharedStore(createStore: CreateStore): StoreFixture {
  const fixture = useStore(createStore, beforeAll, afterAll);
  beforeEach(async () => {
    const { store } = fixture;
    store.onBeforeVisible(async () => undefined);
    for (const { address } of await allStations(store)) await store.deleteStation(address);
  });
  return fixture;
}

function useStore(
  createStore: CreateStore,
  before: typeof beforeAll | typeof beforeEach,
  after: typeof afterAll | typeof afterEach,
): StoreFixture {
  let data: StoreUnderTest | undefined;
  let store: Store | undefined;
  before(async () => {
    data = await createStore();
    store = await data.open();
  });
  after(async () => {
    await store?.close();
    await data?.dispose();
    store = undefined;
    data = undefined;
  });
  return {
    get store() {
      expect(store).toBeDefined();
      return store!;
    },
    async reopen() {
      await store!.close();
      store = await data!.open();
      return store;
    },
  };
}
