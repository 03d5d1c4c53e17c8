export type { Access } from './access/access.ts';
export { parseDuration } from './access/duration.ts';
export { parseNewSession } from './access/parse-new-session.ts';
export { type NewToken, parseNewToken } from './access/parse-new-token.ts';
export { includesRole, type Role, roles } from './access/role.ts';
export {
  coversScope,
  fullScope,
  isInScope,
  parseScope,
  type Scope,
  type ScopePart,
} from './access/scope.ts';
export { secureSessionCookieName, sessionCookieName } from './access/session-cookie-name.ts';
export { byPreference } from './by-preference.ts';
export { type ChangeView, viewChange } from './change-view.ts';
export { normaliseCreateTime } from './create-time.ts';
export { type ErrorCode, type ErrorDetails, errorCodes, RosterError } from './errors.ts';
export { formatHistoryPosition, type HistoryPosition, parseHistoryPosition } from './history-position.ts';
export { invalidRecords } from './invalid-records.ts';
export { labelFromKey } from './label-from-key.ts';
export { limits } from './limits.ts';
export { everything, type ListQuery, type PageRequest } from './list-query.ts';
export { nearestName } from './nearest-name.ts';
export { negotiateLocale } from './negotiate-locale.ts';
export { type Operation, type OperationId, operations } from './operations.ts';
export { ownParameterNames } from './own-parameters.ts';
export { parseChangesQuery, parseStreamQuery } from './parse-changes-query.ts';
export { type ExportFormat, exportFormats, parseExportQuery } from './parse-export-query.ts';
export { parseIfMatch } from './parse-if-match.ts';
export { listParameterNames, type ParseListQueryOptions, parseListQuery } from './parse-list-query.ts';
export {
  type ParsedRecord,
  type ParseRecordOptions,
  parseRecord,
  type RecordFault,
  unknownField,
} from './parse-record.ts';
export { parseResourceType } from './parse-resource-type.ts';
export { parseStationsQuery } from './parse-stations-query.ts';
export { parseSummaryQuery } from './parse-summary-query.ts';
export { parseWriteQuery, type WriteQuery } from './parse-write-query.ts';
export { refuseParameters } from './query-parameters.ts';
export { escapeUnseen, quote, shorten } from './quote.ts';
export { recordFieldNames, requiredFieldNames } from './record-fields.ts';
export { type RecordView, viewRecord } from './record-view.ts';
export { type RemovalAllowance, removalRefusal } from './removal-guard.ts';
export {
  parseResourceTail,
  renderRecordEnd,
  renderResourceHead,
  renderResourceTail,
  resourceTailFields,
} from './render-resource.ts';
export {
  defaultLocale,
  type Resource,
  type ResourceRecord,
  type ResourceType,
  resourceDefaults,
} from './resource.ts';
export { formatRevision, parseRevision, type Revision, revisionHeader } from './revision.ts';
export type { ListedResource, ListResponse, Page } from './schemas/listing.ts';
export type { Problem } from './schemas/problem.ts';
export type { WireTypes } from './schemas/wire-types.ts';
export { neutraliseCell, restoreCell } from './spreadsheet-cell.ts';
export {
  checkNewStationAddress,
  parseStationKey,
  type StationAddress,
  stationKey,
  stationNotFound,
  stationPath,
} from './station-address.ts';
export { parseTypeCondition, type TypeCondition } from './type-condition.ts';
