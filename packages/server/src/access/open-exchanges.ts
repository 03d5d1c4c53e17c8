import type { IncomingMessage, ServerResponse } from 'node:http';
import { RosterError } from '@roster/contract';
import type { AnswerError } from '../http/answer-error.ts';
import { type Authenticator, noLongerValid } from './authenticator.ts';
import type { Principal } from './principal.ts';

interface OpenExchange {
  readonly principal: Principal;
  readonly end: (response: ServerResponse) => void;
}

/** So often it is asked whether callers may go on. */
const checkMs = 1_000;

/** Requests and answers that may take long: they end when their caller is no longer let in. */
export class OpenExchanges {
  readonly #authenticator: Authenticator;
  readonly #answerError: AnswerError;
  readonly #open = new Map<ServerResponse, OpenExchange>();
  readonly #timer = setInterval(() => this.#check(), checkMs).unref();

  constructor(authenticator: Authenticator, answerError: AnswerError) {
    this.#authenticator = authenticator;
    this.#answerError = answerError;
  }

  /** Until the answer is sent. `end` is called as long as it does not help. */
  watch(
    response: ServerResponse,
    principal: Principal,
    end: OpenExchange['end'] = (open) => this.#cutOff(open),
  ): void {
    this.#open.set(response, { principal, end });
  }

  /** Tells those who are still sending that nothing of it will be kept. */
  refuseUnfinished(): void {
    const error = new RosterError('shutting_down', 'the server is shutting down; nothing was written');
    for (const response of this.#open.keys()) if (!response.headersSent) this.#refuse(response, error);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    for (const [response, { principal, end }] of this.#open) {
      if (response.writableFinished || response.destroyed) this.#open.delete(response);
      else if (!this.#authenticator.isValid(principal)) end(response);
    }
  }

  #cutOff(response: ServerResponse): void {
    if (response.headersSent) response.destroy();
    else this.#refuse(response, noLongerValid());
  }

  /** Not between a body that has arrived and its answer: a write looks for itself before it is done. */
  #refuse(response: ServerResponse, error: RosterError): void {
    const request: IncomingMessage = response.req;
    if (!request.complete) this.#answerError(error, request, response, { Connection: 'close' });
  }
}
