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
} from './guards.ts';
export type { CallOptions, ReadOptions } from './http/request.ts';
export type { Filters, ListDelimiter, ListQuery } from './list-query.ts';
export type { ListAllOptions, Listing } from './listing.ts';
export type { ChangesQuery } from './manage/changes-query.ts';
export type { Export, ExportFormat } from './manage/export.ts';
export type { History } from './manage/history.ts';
export type { Management } from './manage/management.ts';
export type { ConditionalOptions } from './manage/own-request.ts';
export type { RecordFormat } from './manage/record-format.ts';
export type { ExportOptions, StationManagement, WatchQuery } from './manage/station-management.ts';
export type { StationFilters, StationsQuery } from './manage/stations-query.ts';
export type { WriteInput } from './manage/write-body.ts';
export type { WriteOptions } from './manage/write-request.ts';
export type { Notice } from './notice.ts';
export type {
  ChangeView,
  CreatedToken,
  FieldDifference,
  Figures,
  HistoryPage,
  NewToken,
  PastChange,
  Plan,
  PlannedChange,
  Principal,
  PutType,
  RecordFault,
  RecordView,
  ResourceRecord,
  ResourceType,
  Role,
  Session,
  Station,
  StationPage,
  StoredResource,
  Summary,
  Token,
  WriteResult,
} from './own-wire.ts';
export type { ListAnswer } from './read-list.ts';
export { parseStationAddress, type StationAddress, stationPath } from './station-address.ts';
export type { StationClient } from './station-client.ts';
export type { ChangedEvent, ListedEvent, Watch, WatchEvent } from './watch/watch.ts';
export type { ListedType, ListResponse, Page, Resource } from './wire.ts';
