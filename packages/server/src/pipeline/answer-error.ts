import type { IncomingMessage } from 'node:http';
import { type Problem, RosterError } from '@roster/contract';
import type { Logger } from 'pino';
import { readSessionCookie } from '../access/session-cookie.ts';
import type { Audit } from '../audit/audit.ts';
import { clientLeft } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { problemAnswer, sendProblem } from '../http/problem.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';

/** Answers a request with an error, and logs it. */
export type AnswerError = (error: unknown, exchange: Exchange) => void;

export function createAnswerError(logger: Logger, audit: Audit, metrics: RequestMetrics): AnswerError {
  return (error, exchange) => {
    const { request, response, requestId } = exchange;
    // It failed because its connection was closed after its answer.
    if (response.writableEnded) return;
    const known = error instanceof Error && isAbandoned(request, error) ? clientLeft(error) : error;
    const answer = problemAnswer(known, requestId, !exchange.isRead);
    logProblem(logger, known, answer.problem, exchange);
    audit.record([{ exchange, outcome: answer.problem }]);
    if (answer.problem.code === 'rate_limited') metrics.turnAway('rate_limit');
    if (answer.status === 401 && !response.headersSent) {
      response.setHeader('WWW-Authenticate', challengeTo(exchange));
    }
    sendProblem(response, answer);
  };
}

/** Whether a request failed because its client has left. */
function isAbandoned(request: IncomingMessage, error?: Error): boolean {
  if (error instanceof RosterError) return false;
  if (request.destroyed && !request.complete) return true;
  return request.socket.destroyed && leavingCodes.has((error as NodeJS.ErrnoException | undefined)?.code);
}

const leavingCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function challengeTo(exchange: Exchange): string {
  const hasCredential =
    exchange.request.headers.authorization !== undefined || readSessionCookie(exchange) !== undefined;
  return `Bearer realm="roster"${hasCredential ? ', error="invalid_token"' : ''}`;
}

/** Not errors of the server, and there may be many of them. */
const refusals: ReadonlySet<string> = new Set(['shutting_down', 'overloaded']);

function logProblem(logger: Logger, error: unknown, problem: Problem, exchange: Exchange): void {
  const { request, client } = exchange;
  const { status, code, request_id } = problem;
  const isServerError = status >= 500 && !refusals.has(code) && !isAbandoned(request);
  logger[isServerError ? 'error' : 'debug'](
    {
      err: error,
      status,
      code,
      request_id,
      client: client.address,
      method: request.method,
      url: request.url?.slice(0, 500),
    },
    'request failed',
  );
}
