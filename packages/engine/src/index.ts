export { Digest } from './digest.ts';
export type {
  Batch,
  BatchFaults,
  BeforeVisible,
  ChangeFeed,
  ChangePart,
  Head,
  MaybePromise,
  StagedRecord,
  Store,
  TypeCatalog,
  WriteResult,
} from './store.ts';
