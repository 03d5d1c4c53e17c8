export { normaliseCreateTime } from './create-time.ts';
export { type ErrorCode, type ErrorDetails, errorCodes, RosterError } from './errors.ts';
export { invalidRecords } from './invalid-records.ts';
export { labelFromKey } from './label-from-key.ts';
export { limits } from './limits.ts';
export type { ListQuery, PageRequest } from './list-query.ts';
export { nearestName } from './nearest-name.ts';
export { negotiateLocale } from './negotiate-locale.ts';
export { type Operation, type OperationId, operations } from './operations.ts';
export { listParameterNames, type ParseListQueryOptions, parseListQuery } from './parse-list-query.ts';
export {
  type ParsedRecord,
  type ParseRecordOptions,
  parseRecord,
  type RecordFault,
  unknownField,
} from './parse-record.ts';
export { quote } from './quote.ts';
export { recordFieldNames, requiredFieldNames } from './record-fields.ts';
export { type RemovalAllowance, removalRefusal } from './removal-guard.ts';
export { renderResourceHead, renderResourceTail } from './render-resource.ts';
export {
  defaultLocale,
  type Resource,
  type ResourceRecord,
  type ResourceType,
  resourceDefaults,
} from './resource.ts';
export { formatRevision, parseRevision, type Revision, revisionHeader } from './revision.ts';
export type { ListedResource, ListResponse, Page, Problem } from './schemas.ts';
export {
  checkNewStationAddress,
  parseStationKey,
  type StationAddress,
  stationKey,
  stationNotFound,
  stationPath,
} from './station-address.ts';
