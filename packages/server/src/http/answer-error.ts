import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Problem, RosterError } from '@roster/contract';
import type { FastifyError } from 'fastify';
import type { Logger } from 'pino';
import { readSessionCookie } from '../access/session-cookie.ts';
import type { Audit } from '../audit/audit.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ClientOf } from '../protection/trusted-proxies.ts';
import { clientLeft } from './client-left.ts';
import { problemAnswer, sendProblem } from './problem.ts';
import { contextOf } from './request-context.ts';

/** Answers a request with what went wrong, and logs it. */
export type AnswerError = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  headers?: Record<string, string>,
) => void;

export interface AnswerErrorOptions {
  readonly logger: Logger;
  readonly audit: Audit;
  readonly clientOf: ClientOf;
  readonly metrics: Metrics;
}

export function createAnswerError({ logger, audit, clientOf, metrics }: AnswerErrorOptions): AnswerError {
  return (error, request, response, headers) => {
    // Its connection was closed behind an answer, and that is why it failed.
    if (response.writableEnded) return;
    const translated = translate(error, request);
    const { requestId } = contextOf(request);
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
    const answer = problemAnswer(translated, { requestId, isWrite });
    const client = clientOf(request).address;
    logProblem(logger, { error: translated, problem: answer.problem, request, client });
    audit.record(request, answer.problem);
    if (answer.problem.code === 'rate_limited') metrics.requests.turnAway('rate_limit');
    const challenge = answer.status === 401 ? { 'WWW-Authenticate': challengeTo(request, clientOf) } : {};
    sendProblem(response, answer, { ...challenge, ...headers });
  };
}

function isAbandoned(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

/**
 * Fastify's own refusals (a bad URL, a strange content type) and what fails for a client that has left, in our words;
 * anything else stays what it is.
 */
function translate(error: unknown, request: IncomingMessage): unknown {
  if (error instanceof RosterError || !(error instanceof Error)) return error;
  if (isAbandoned(request)) return clientLeft(error);
  const { statusCode = 500, code } = error as Partial<FastifyError>;
  if (statusCode === 413) return new RosterError('body_too_large', 'the body is too large');
  if (statusCode === 414) return new RosterError('uri_too_long', 'the URL is too long');
  if (statusCode === 415)
    return new RosterError('unsupported_media_type', 'this content type is not supported here', {
      parameter: 'Content-Type',
    });
  if (code === 'FST_ERR_BAD_URL') {
    return new RosterError('malformed_request', 'the path is not valid percent-encoded UTF-8');
  }
  if (statusCode >= 400 && statusCode < 500) return new RosterError('malformed_request', error.message);
  return error;
}

function challengeTo(request: IncomingMessage, clientOf: ClientOf): string {
  const isGiven =
    request.headers.authorization !== undefined || readSessionCookie(request, clientOf) !== undefined;
  return `Bearer realm="roster"${isGiven ? ', error="invalid_token"' : ''}`;
}

interface LoggedProblem {
  readonly error: unknown;
  readonly problem: Problem;
  readonly request: IncomingMessage;
  readonly client: string;
}

function logProblem(logger: Logger, { error, problem, request, client }: LoggedProblem): void {
  const isOurFault = problem.status >= 500 && problem.code !== 'shutting_down' && !isAbandoned(request);
  const level = isOurFault ? 'error' : 'debug';
  const { status, code, request_id } = problem;
  logger[level](
    { err: error, status, code, request_id, client, method: request.method, url: request.url?.slice(0, 500) },
    'request failed',
  );
}
