import { HttpError, RosterClientError } from './errors.ts';
import type { RecordError } from './roster-wire.ts';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof RosterClientError && error.code === code;
const hasStatus = (error: unknown, ...statuses: number[]): error is HttpError =>
  error instanceof HttpError && statuses.includes(error.status);

/** The station, resource, type or view does not exist. */
export function isNotFound(error: unknown): error is HttpError {
  return hasStatus(error, 404);
}

/** The token is missing, invalid or lacks permission. */
export function isDenied(error: unknown): error is HttpError {
  return hasStatus(error, 401, 403);
}

/** The token is missing or invalid. */
export function isUnauthorized(error: unknown): error is HttpError {
  return hasStatus(error, 401);
}

/** The token is valid but lacks permission. */
export function isForbidden(error: unknown): error is HttpError {
  return hasStatus(error, 403);
}

export function isRateLimited(error: unknown): error is HttpError {
  return hasStatus(error, 429);
}

/** The requested snapshot or history is gone; start over without a revision. */
export function isRevisionExpired(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'revision_expired';
}

/** The station is no longer at `ifRevision`; nothing was written. */
export function isRevisionMismatch(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'revision_mismatch';
}

/** The resource type is not at `ifVersion`; nothing was written. */
export function isTypeMismatch(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'type_mismatch';
}

/** The view is not at `ifVersion`; nothing was written. */
export function isViewMismatch(error: unknown): error is HttpError {
  return error instanceof HttpError && error.code === 'view_mismatch';
}

/** Too many matches for one response; use `listAll` or `size`. */
export function isPagingRequired(
  error: unknown,
): error is HttpError & { extensions: { readonly total: number } } {
  return error instanceof HttpError && error.code === 'paging_required';
}

/** A replace would remove too many resources; nothing was written. */
export function isRemovalRefused(
  error: unknown,
): error is HttpError & { extensions: { readonly removed: number; readonly resources: number } } {
  return error instanceof HttpError && error.code === 'removal_refused';
}

interface RecordErrors {
  readonly faults: RecordError[];
  readonly fault_count: number;
  /** The line where the server stopped reading; then `fault_count` is a lower bound. */
  readonly stopped_at_line?: number;
}

/** Some records were invalid; nothing was written. */
export function isInvalidRecords(error: unknown): error is HttpError & { extensions: RecordErrors } {
  return error instanceof HttpError && error.code === 'invalid_records';
}

/** The connection failed or timed out. */
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

/** The response does not follow the interface. */
export function isMalformed(error: unknown): error is RosterClientError {
  return hasCode(error, 'malformed_answer');
}

/** The server counts more resources than it returns. */
export function isIncompleteList(error: unknown): error is RosterClientError {
  return hasCode(error, 'incomplete_list');
}
