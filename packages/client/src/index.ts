export { createClient, type RosterClient } from './client.ts';
export type { ClientOptions, Fetch } from './client-options.ts';
export { type ClientErrorCode, HttpError, RosterClientError } from './errors.ts';
export {
  isAborted,
  isDenied,
  isForbidden,
  isIncompleteList,
  isInvalidRecords,
  isMalformed,
  isNotFound,
  isPagingRequired,
  isRateLimited,
  isRemovalRefused,
  isRevisionExpired,
  isRevisionMismatch,
  isTimeout,
  isTypeMismatch,
  isUnauthorized,
  isUnreachable,
  isViewMismatch,
} from './guards.ts';
export type { CallOptions, ReadOptions } from './http/request.ts';
export type { ListAllOptions, Listing } from './list/listing.ts';
export type { Notice } from './list/notice.ts';
export type { ListAnswer } from './list/read-list.ts';
export type { Export, ExportFormat } from './manage/export.ts';
export type { History } from './manage/history.ts';
export type { Management, RevokeOptions } from './manage/management.ts';
export type { RecordFormat } from './manage/record-format.ts';
export type { ConditionalOptions } from './manage/roster-request.ts';
export type {
  ExportOptions,
  SearchAnswer,
  StationManagement,
  WatchOptions,
  WatchQuery,
} from './manage/station-management.ts';
export type {
  NewView,
  PageQuery,
  ViewAnswer,
  ViewFilters,
  ViewManagement,
  ViewOptions,
} from './manage/view-management.ts';
export type { PatchInput, WriteInput } from './manage/write-body.ts';
export type { PatchOptions, WriteOptions } from './manage/write-request.ts';
export type { ChangesQuery } from './query/changes-query.ts';
export type { Filters, ListDelimiter, ListQuery } from './query/list-query.ts';
export {
  type EverywhereQuery,
  orderFields,
  type SearchFilters,
  type SearchQuery,
} from './query/search-query.ts';
export type { StationFilters, StationsQuery } from './query/stations-query.ts';
export type {
  Alert,
  ChangeView,
  CreatedToken,
  EverywherePage,
  FacetCounts,
  FieldDifference,
  Figures,
  FoundResource,
  HistoryBeginning,
  HistoryPage,
  NewToken,
  PastChange,
  Plan,
  PlannedChange,
  Principal,
  PutType,
  RecordError,
  RecordView,
  ResourcePatch,
  ResourceRecord,
  ResourceType,
  Revocation,
  Role,
  SavedView,
  SavedViewPage,
  SearchPage,
  Session,
  Source,
  SourceDiscovery,
  Station,
  StationPage,
  StoredResource,
  Summary,
  Token,
  TrendPoint,
  Trends,
  UnmatchedAlert,
  WriteResult,
} from './roster-wire.ts';
export { parseStationAddress, type StationAddress, stationPath } from './station-address.ts';
export type { StationClient } from './station-client.ts';
export { tokensMadeBy } from './tokens-made-by.ts';
export type { ChangedEvent, ListedEvent, Watch, WatchEvent } from './watch/watch.ts';
export type { ListedType, ListResponse, Page, Resource } from './wire.ts';
