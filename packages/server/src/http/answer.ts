import type { OperationId } from '@roster/contract';
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

/** Answers an operation. One that sends its response by itself returns undefined. */
export type Handler = (exchange: Exchange) => MaybePromise<Answer | undefined>;

export type Handlers = Readonly<Record<OperationId, Handler>>;

export const jsonType = 'application/json; charset=utf-8';
