export const errorCodes = [
  'invalid_parameter',
  'unknown_parameter',
  'paging_required',
  'search_too_wide',
  'invalid_body',
  'invalid_records',
  'malformed_request',
  'unauthorized',
  'forbidden',
  'route_not_found',
  'station_not_found',
  'resource_not_found',
  'type_not_found',
  'token_not_found',
  'view_not_found',
  'source_not_found',
  'method_not_allowed',
  'request_timeout',
  'type_in_use',
  'too_many_tokens',
  'too_many_views',
  'authentication_off',
  'removal_refused',
  'source_missing',
  'revision_expired',
  'revision_mismatch',
  'type_mismatch',
  'view_mismatch',
  'body_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'misdirected_request',
  'rate_limited',
  'headers_too_large',
  'data_damaged',
  'storage_full',
  'store_unavailable',
  'audit_unavailable',
  'database_replaced',
  'issuer_unavailable',
  'overloaded',
  'shutting_down',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorDetails {
  /** The request parameter, header or path segment at fault. */
  parameter?: string;
  /** Additional members of the problem document. */
  extensions?: Record<string, unknown>;
  /** When to try again. */
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** The only error that Roster throws on purpose. It knows nothing of HTTP. */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  readonly code: ErrorCode;
  readonly parameter: string | undefined;
  readonly extensions: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.parameter = details.parameter;
    this.extensions = details.extensions;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Stored data does not match its checksum. */
export function dataDamaged(what: string, cause?: unknown): RosterError {
  return new RosterError(
    'data_damaged',
    `${what} is damaged in the database and cannot be used; roster check reports the damage`,
    cause === undefined ? {} : { cause },
  );
}
