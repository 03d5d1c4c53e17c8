import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type ErrorCode, type Problem, RosterError, shorten } from '@roster/contract';
import { hideSecrets } from '../log/hide-secrets.ts';
import { errorAnswers } from './error-status.ts';
import { securityHeaders } from './headers.ts';

/** Replaces messages that describe the inside of the server. */
const publicDetails: Partial<Record<ErrorCode, string>> = {
  internal: 'an unexpected error occurred; look up the request id in the server log',
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

/** The problem document of an error. For an unexpected error, it reveals only the request id. */
export function problemAnswer(
  error: unknown,
  requestId: string = randomUUID(),
  isWrite = false,
): ProblemAnswer {
  const known =
    error instanceof RosterError ? error : new RosterError('internal', 'an unexpected error occurred');
  const { code, parameter, extensions } = known;
  const [status, title] = errorAnswers[code];
  const problem: Problem = {
    type: `urn:roster:problem:${code}`,
    title,
    status,
    detail: detailOf(known, isWrite),
    code,
    request_id: requestId,
    ...(parameter === undefined ? {} : { parameter: shorten(parameter, maxParameterLength) }),
    ...extensions,
  };
  // Messages quote the request, which may have a secret in the wrong place.
  const body = hideSecrets(JSON.stringify(problem));
  const headers: Record<string, string> = {
    ...securityHeaders,
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
  };
  const mayRetry = status === 503 && !untilMended.has(code);
  const retryAfter = known.retryAfterSeconds ?? (mayRetry ? defaultRetryAfterSeconds : undefined);
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter);
  return { status, headers, body, problem };
}

function detailOf({ code, message, extensions }: RosterError, isWrite: boolean): string {
  // This message says what to do about it.
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
