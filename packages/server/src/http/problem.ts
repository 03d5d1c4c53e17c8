import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ErrorCode, type Problem, RosterError, shorten } from '@roster/contract';
import { hideSecrets } from '../log/hide-secrets.ts';
import { securityHeaders } from './security-headers.ts';

/** The one place that knows which HTTP status an error is. */
export const statusOf: Readonly<Record<ErrorCode, number>> = {
  invalid_parameter: 400,
  unknown_parameter: 400,
  paging_required: 400,
  invalid_body: 400,
  malformed_request: 400,
  unauthorized: 401,
  forbidden: 403,
  route_not_found: 404,
  station_not_found: 404,
  resource_not_found: 404,
  type_not_found: 404,
  token_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  type_in_use: 409,
  too_many_tokens: 409,
  authentication_off: 409,
  removal_refused: 409,
  revision_expired: 410,
  revision_mismatch: 412,
  type_mismatch: 412,
  body_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  invalid_records: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  store_unavailable: 503,
  audit_unavailable: 503,
  database_replaced: 503,
  data_damaged: 503,
  issuer_unavailable: 503,
  overloaded: 503,
  shutting_down: 503,
  storage_full: 507,
};

const titles: Readonly<Record<ErrorCode, string>> = {
  invalid_parameter: 'Invalid parameter',
  unknown_parameter: 'Unknown parameter',
  paging_required: 'Paging required',
  invalid_body: 'Invalid body',
  malformed_request: 'Malformed request',
  unauthorized: 'Not signed in',
  forbidden: 'Not allowed',
  route_not_found: 'No such path',
  station_not_found: 'Station not found',
  resource_not_found: 'Resource not found',
  type_not_found: 'Resource type not found',
  token_not_found: 'Token not found',
  method_not_allowed: 'Method not allowed',
  request_timeout: 'Request timed out',
  type_in_use: 'Resource type in use',
  too_many_tokens: 'Too many tokens',
  authentication_off: 'Authentication is off',
  removal_refused: 'Removal refused',
  revision_expired: 'Revision expired',
  revision_mismatch: 'Revision mismatch',
  type_mismatch: 'Resource type mismatch',
  body_too_large: 'Body too large',
  uri_too_long: 'URL too long',
  unsupported_media_type: 'Unsupported content type',
  misdirected_request: 'Meant for another host',
  invalid_records: 'Invalid records',
  rate_limited: 'Too many requests',
  headers_too_large: 'Headers too large',
  internal: 'Internal error',
  store_unavailable: 'Store unavailable',
  audit_unavailable: 'Audit unavailable',
  database_replaced: 'Database replaced',
  data_damaged: 'Data damaged',
  issuer_unavailable: 'Issuer unavailable',
  overloaded: 'Overloaded',
  shutting_down: 'Shutting down',
  storage_full: 'Storage full',
};

/** What is said of errors whose own message is about the inside of the server. */
const publicDetails: Partial<Record<ErrorCode, string>> = {
  internal: 'an unexpected error occurred; the request id finds it in the log of the server',
  storage_full: 'the disk of the server is full; nothing was written, and reads go on',
  store_unavailable: 'the store does not answer',
  database_replaced:
    'the database was replaced or deleted while the server ran; nothing is read or acknowledged until it is restarted',
};

const defaultRetryAfterSeconds = 1;
/** Retrying does not help until someone fixes the cause. */
const untilMended: ReadonlySet<ErrorCode> = new Set(['data_damaged', 'database_replaced']);
const maxParameterLength = 200;

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly problem: Problem;
}

export interface AskedRequest {
  readonly requestId: string;
  readonly isWrite: boolean;
}

/** What a client is told of an error. Of an unexpected one it learns nothing but the request id. */
export function problemAnswer(error: unknown, asked?: AskedRequest): ProblemAnswer {
  const known =
    error instanceof RosterError ? error : new RosterError('internal', 'an unexpected error occurred');
  const status = statusOf[known.code];
  const problem: Problem = {
    type: `urn:roster:problem:${known.code}`,
    title: titles[known.code],
    status,
    detail: detailOf(known, asked?.isWrite ?? false),
    code: known.code,
    request_id: asked?.requestId ?? randomUUID(),
    ...(known.parameter === undefined ? {} : { parameter: shorten(known.parameter, maxParameterLength) }),
    ...known.extensions,
  };
  // Messages quote what was sent, and that may have been a secret in the wrong place.
  const body = hideSecrets(JSON.stringify(problem));
  const headers: Record<string, string> = {
    ...securityHeaders,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
  };
  const retryAfter =
    known.retryAfterSeconds ??
    (status === 503 && !untilMended.has(known.code) ? defaultRetryAfterSeconds : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return { status, headers, body, problem };
}

/** Whoever is told that the outcome is not known is also told what to do. */
function detailOf({ code, message, extensions }: RosterError, isWrite: boolean): string {
  if (extensions?.outcome === 'unknown') return message;
  const detail = publicDetails[code] ?? message;
  return isWrite && code === 'store_unavailable'
    ? `${detail}; nothing is known to have been written`
    : detail;
}

export function sendProblem(response: ServerResponse, { status, headers, body }: ProblemAnswer): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, headers).end(body);
}
