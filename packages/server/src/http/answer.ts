import { type OperationId, RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import type { Exchange } from './exchange.ts';
import type { Headers } from './headers.ts';

/** What an operation answers. The pipeline records it, adds the headers that all answers have, and sends it. */
export interface Answer {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Headers;
  readonly cookies?: readonly string[];
  /** An object is sent as JSON. Text and chunks need a `Content-Type`. */
  readonly body?: object | string | AsyncIterable<Buffer | string>;
}

/** Answers an operation. Returns undefined if it sends its response by itself. */
export type Handler = (exchange: Exchange) => MaybePromise<Answer | undefined>;

export type Handlers = Readonly<Record<OperationId, Handler>>;

export const jsonType = 'application/json; charset=utf-8';

/** Answers the methods that a path does not have. */
export function otherMethod(methods: readonly string[]): (exchange: Exchange) => Answer {
  const allow = methods.join(', ');
  return ({ request: { method }, response }) => {
    response.setHeader('Allow', allow);
    if (method === 'OPTIONS') return { status: 204 };
    throw new RosterError('method_not_allowed', `${method} is not allowed here; use one of ${allow}`);
  };
}

export function notFound(hint = 'see /docs'): RosterError {
  return new RosterError('route_not_found', `there is nothing at this path; ${hint}`);
}

export function clientLeft(cause?: Error): RosterError {
  return new RosterError('invalid_body', 'the client left before all of the body was read', { cause });
}
