import type { IncomingMessage, ServerResponse } from 'node:http';
import { RosterError } from '@roster/contract';
import type { AnswerError } from './answer-error.ts';
import { matchingMethods } from './matching-methods.ts';

/** Answers what no route takes: OPTIONS, a method that the path does not have, or a path that is not there. */
export function answerUnrouted(
  request: IncomingMessage,
  response: ServerResponse,
  answerError: AnswerError,
): void {
  const path = request.url!.split('?')[0]!;
  const methods = matchingMethods(path);
  const allow = { Allow: methods.join(', ') };
  if (methods.length === 0) {
    answerError(notFound(), request, response);
  } else if (request.method === 'OPTIONS') response.writeHead(204, allow).end();
  else {
    const detail = `${request.method} is not possible here; allowed are ${allow.Allow}`;
    answerError(new RosterError('method_not_allowed', detail), request, response, allow);
  }
}

export function notFound(hint = 'see /docs for what there is'): RosterError {
  return new RosterError('route_not_found', `there is nothing at this path; ${hint}`);
}
