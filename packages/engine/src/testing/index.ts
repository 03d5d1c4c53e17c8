export { runEngineSuite } from './engine-suite.ts';
export { runEverywhereSuite } from './everywhere-suite.ts';
export type { DamagingUpdate } from './store-contract/fixture/store-fixture.ts';
export { runStoreContract } from './store-contract/run-store-contract.ts';
