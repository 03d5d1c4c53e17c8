import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ErrorCode, type Problem, RosterError, shorten } from '@roster/contract';
import { hideSecrets } from '../log/hide-secrets.ts';
import { statusOf, titleOf } from './error-status.ts';
import { securityHeaders } from './security-headers.ts';

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
    title: titleOf[known.code],
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
