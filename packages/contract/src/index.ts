export type { Access } from './access/access.ts';
export { formatDuration, parseDuration } from './access/duration.ts';
export { parseNewSession } from './access/parse-new-session.ts';
export { type NewToken, parseNewToken } from './access/parse-new-token.ts';
export { parseRevokeQuery } from './access/parse-revoke-query.ts';
export {
  allowsName,
  coversScope,
  fullScope,
  isInScope,
  parseScope,
  type Scope,
  type ScopePart,
} from './access/scope.ts';
export { secureSessionCookieName, sessionCookieName } from './access/session-cookie-name.ts';
export { dataDamaged, type ErrorCode, type ErrorDetails, errorCodes, RosterError } from './errors.ts';
export { foldText } from './fold-text.ts';
export { limits } from './limits.ts';
export { nearestName } from './nearest-name.ts';
export { byPreference } from './negotiate/by-preference.ts';
export { negotiateLocale } from './negotiate/negotiate-locale.ts';
export { type Operation, type OperationId, operations } from './operations.ts';
export {
  type EverywhereQuery,
  parseEverywhereQuery,
  parseStationFilters,
  type StationFilters,
  stationFacetFields,
  stationMatcher,
} from './query/everywhere-query.ts';
export { everything, type ListQuery, type PageRequest } from './query/list-query.ts';
export { matchesSearch } from './query/matches-search.ts';
export { parseChangesQuery, parseStreamQuery } from './query/parse-changes-query.ts';
export { type ExportFormat, exportFormats, parseExportQuery } from './query/parse-export-query.ts';
export { listParameterNames, type ParseListQueryOptions, parseListQuery } from './query/parse-list-query.ts';
export { parseStationsQuery } from './query/parse-stations-query.ts';
export { parseSummaryQuery } from './query/parse-summary-query.ts';
export {
  parseTrendsQuery,
  type TrendStep,
  type TrendsQuery,
  trendSteps,
} from './query/parse-trends-query.ts';
export { refuseParameters } from './query/query-parameters.ts';
export { rosterParameterNames } from './query/roster-parameters.ts';
export {
  anyTime,
  type Facet,
  facetFields,
  inListOrder,
  labelFamily,
  type Order,
  type OrderField,
  orderFields,
  parseSearchQuery,
  type SearchFilters,
  type SearchQuery,
  type TimeRange,
} from './query/search-query.ts';
export { escapeUnseen, quote, shorten } from './quote.ts';
export { normaliseCreateTime } from './record/create-time.ts';
export {
  type ParsedRecord,
  type ParseRecordOptions,
  parseRecord,
  type RecordError,
  unknownField,
} from './record/parse-record.ts';
export { recordFieldNames, requiredFieldNames, typeKeyError } from './record/record-fields.ts';
export { neutraliseCell, restoreCell } from './record/spreadsheet-cell.ts';
export { type ChangeView, type Match, matchOf, viewChange } from './resource/change-view.ts';
export { isoTime } from './resource/iso-time.ts';
export {
  formatLabels,
  type LabelMap,
  labelKeyError,
  noLabels,
  parseLabels,
  readLabels,
} from './resource/labels.ts';
export { nearestState } from './resource/nearest-state.ts';
export { type RecordView, viewRecord } from './resource/record-view.ts';
export {
  parseResourceTail,
  renderRecordKind,
  renderResourceHead,
  renderResourceTail,
  renderStateSince,
  resourceTailFields,
} from './resource/render-resource.ts';
export {
  defaultLocale,
  type Resource,
  type ResourcePatch,
  type ResourceRecord,
  type ResourceType,
  resourceDefaults,
  usualStates,
} from './resource/resource.ts';
export { labelFromKey } from './resource-type/label-from-key.ts';
export { parseResourceType } from './resource-type/parse-resource-type.ts';
export {
  formatHistoryPosition,
  type HistoryPosition,
  parseHistoryPosition,
} from './revision/history-position.ts';
export { formatRevision, parseRevision, type Revision, revisionHeader } from './revision/revision.ts';
export { includesRole, peopleRoles, type Role, roles } from './role.ts';
export type { ListedResource, ListResponse, Page } from './schemas/listing.ts';
export type { Problem } from './schemas/problem.ts';
export type { WireTypes } from './schemas/wire-types.ts';
export {
  checkNewStationAddress,
  parseStation,
  parseStationKey,
  parseStationPath,
  type StationAddress,
  stationKey,
  stationNotFound,
  stationPath,
} from './station-address.ts';
export { parsePutView, type ViewSearch } from './view/parse-put-view.ts';
export { parseViewsQuery } from './view/parse-views-query.ts';
export { resolveTimes } from './view/relative-times.ts';
export { canonicalViewQuery, searchOfView } from './view/view-query.ts';
export { invalidRecords } from './write/invalid-records.ts';
export { parseIfMatch } from './write/parse-if-match.ts';
export { parsePatchQuery, parseWriteQuery, type WriteQuery } from './write/parse-write-query.ts';
export { type RemovalAllowance, removalRefusal } from './write/removal-guard.ts';
export { parseVersionCondition, type VersionCondition } from './write/version-condition.ts';
