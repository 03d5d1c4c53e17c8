import { HttpError, RosterClientError } from './errors.ts';
import type { RecordFault } from './own-wire.ts';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof RosterClientError && error.code === code;
const hasStatus = (error: unknown, ...statuses: number[]): error is HttpError =>
  error instanceof HttpError && statuses.includes(error.status);

/** The station, resource or type is not there. */
export function isNotFound(error: unknown): error is HttpError {
  return hasStatus(error, 404);
}

/** The server wants a token, or does not let this one do that. */
export function isDenied(error: unknown): error is HttpError {
  return hasStatus(error, 401, 403);
}

/** The server wants a token, or the one it got is not valid. */
export function isUnauthorized(error: unknown): error is HttpError {
  return hasStatus(error, 401);
}

/** The token is valid, and does not allow this. */
export function isForbidden(error: unknown): error is HttpError {
  return hasStatus(error, 403);
}

export function isRateLimited(error: unknown): error is HttpError {
  return hasStatus(error, 429);
}

/** The snapshot or the history asked for is gone; begin again without it. */
export function isRevisionExpired(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'revision_expired';
}

/** The station has moved on from `ifRevision`; nothing was written. */
export function isRevisionMismatch(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'revision_mismatch';
}

/** The resource type is not what `ifVersion` says; nothing was written. */
export function isTypeMismatch(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'type_mismatch';
}

/** More resources match than one answer may hold; use `listAll`, or `size`. */
export function isPagingRequired(
  error: unknown,
): error is HttpError & { extensions: { readonly total: number } } {
  return error instanceof HttpError && error.code === 'paging_required';
}

/** A replace would remove more than it may; nothing was written. */
export function isRemovalRefused(
  error: unknown,
): error is HttpError & { extensions: { readonly removed: number; readonly resources: number } } {
  return error instanceof HttpError && error.code === 'removal_refused';
}

interface RecordFaults {
  readonly faults: RecordFault[];
  readonly fault_count: number;
  /** Where the server stopped reading, so that there are at least `fault_count` faults. */
  readonly stopped_at_line?: number;
}

/** Records were wrong; nothing was written. */
export function isInvalidRecords(error: unknown): error is HttpError & { extensions: RecordFaults } {
  return error instanceof HttpError && error.code === 'invalid_records';
}

/** No answer came: the connection failed, or the time was up. */
export function isUnreachable(error: unknown): error is RosterClientError {
  return hasCode(error, 'network_failure') || hasCode(error, 'timeout');
}

export function isTimeout(error: unknown): error is RosterClientError {
  return hasCode(error, 'timeout');
}

/** The signal of the call was aborted; `cause` is its reason. */
export function isAborted(error: unknown): error is RosterClientError {
  return hasCode(error, 'aborted');
}

/** What came back is not an answer of this interface. */
export function isMalformed(error: unknown): error is RosterClientError {
  return hasCode(error, 'malformed_answer');
}

/** The server says that there is more, yet does not give it. */
export function isIncompleteList(error: unknown): error is RosterClientError {
  return hasCode(error, 'incomplete_list');
}
