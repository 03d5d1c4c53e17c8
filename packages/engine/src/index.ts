export { type ConsistencyResult, Engine, type EngineOptions, type EngineSize } from './engine.ts';
export type { FoundEverywhere } from './everywhere/everywhere.ts';
export { sizeOfPart } from './everywhere/station-part.ts';
export type { Selection } from './index/lists/selection.ts';
export { type RecordSeparator, renderRecords, resourceAt } from './index/render/render-records.ts';
export { type LabelOverrides, labelOverrides, type Rows, renderRows } from './index/render/render-rows.ts';
export { Labels } from './index/render/type-labels.ts';
export { SavedSnapshots } from './index/saved/saved-snapshots.ts';
export { largeStationSize } from './index/saved/worth-saving.ts';
export { countFacets, type FacetCounts } from './index/search/facets.ts';
export { searchSnapshot, summariseSearch } from './index/search/search.ts';
export type { Snapshot } from './index/snapshot.ts';
export type { Counts, ProductCounts, Summary, TypeCounts } from './index/summary.ts';
export { Digest } from './port/digest.ts';
export { type RenderedColumns, RenderedResources } from './port/rendered-resources.ts';
export type {
  Batch,
  BatchErrors,
  BatchMode,
  BatchOptions,
  BatchPlan,
  BeforeVisible,
  Change,
  Feed,
  FeedChunk,
  Head,
  HeadMoved,
  HistoryBeginning,
  HistoryPage,
  HistoryQuery,
  Lost,
  MaybePromise,
  Note,
  NoteStore,
  PartOfStation,
  PlannedChange,
  StagedRecord,
  Station,
  StationChanges,
  StationCounts,
  StationPage,
  StationPart,
  StationQuery,
  Store,
  StoredResource,
  StoredToken,
  StoredView,
  TokenStore,
  TrendHour,
  TrendStore,
  TypeCatalog,
  ViewStore,
  WriteCondition,
  WriteOptions,
  WriteResult,
} from './port/store.ts';
export { requireTypeCondition, typeMismatch, typeVersion } from './port/type-version.ts';
export {
  requireRoomForView,
  requireViewCondition,
  sharedOwner,
  tokenOfOwner,
  tokenOwner,
  viewVersion,
} from './port/view-version.ts';
export { FairTurns } from './scheduling/fair-turns.ts';
export { TimeSlicer } from './scheduling/time-slicer.ts';
export type { EngineObserver } from './station-view.ts';
