export { Digest } from './digest.ts';
export { type ConsistencyResult, Engine, type EngineOptions, type EngineSize } from './engine.ts';
export type { EngineObserver } from './engine-observer.ts';
export { Labels } from './labels.ts';
export { SavedSnapshots } from './saved/saved-snapshots.ts';
export { type PackedColumns, PackedResources } from './snapshot/packed-resources.ts';
export { type RecordSeparator, renderRecords } from './snapshot/render-records.ts';
export { type HeadOverrides, headOverrides, type Rows, renderRows } from './snapshot/render-rows.ts';
export { resourceAt } from './snapshot/resource-at.ts';
export type { Selection } from './snapshot/selection.ts';
export type { Snapshot } from './snapshot/snapshot.ts';
export type { Counts, ProductCounts, Summary, TypeCounts } from './snapshot/summary.ts';
export { TimeSlicer } from './snapshot/time-slicer.ts';
export { largeStationSize } from './station-view.ts';
export type {
  Batch,
  BatchFaults,
  BatchOptions,
  BatchPlan,
  BeforeVisible,
  Change,
  ChangeFeed,
  ChangePart,
  Head,
  HeadMoved,
  HistoryPage,
  HistoryQuery,
  MaybePromise,
  PlannedChange,
  StagedRecord,
  Station,
  StationCounts,
  StationPage,
  StationQuery,
  Store,
  StoredResource,
  StoredToken,
  TokenStore,
  TypeCatalog,
  WriteCondition,
  WriteResult,
} from './store.ts';
export { requireTypeCondition, typeMismatch, typeVersion } from './type-version.ts';
