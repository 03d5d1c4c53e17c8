import type { ServerResponse } from 'node:http';

const place = Symbol('where it is among those that wait');

interface WaitingResponse extends ServerResponse {
  [place]: number;
}

/** The responses that are not sent yet. Each has a place in an array: a Map of them takes a noticeable part of a list. */
export class WaitingResponses {
  readonly #responses: (ServerResponse | undefined)[] = [];
  readonly #sinceMs: number[] = [];
  readonly #freePlaces: number[] = [];
  /** One listener for all, which finds its response in `this`. */
  readonly #leave: (this: ServerResponse) => void;

  constructor() {
    const remove = (response: ServerResponse) => this.#remove(response as WaitingResponse);
    this.#leave = function leave() {
      remove(this);
    };
  }

  get count(): number {
    return this.#responses.length - this.#freePlaces.length;
  }

  /** Until it is closed. */
  add(response: ServerResponse, sinceMs: number): void {
    const at = this.#freePlaces.pop() ?? this.#responses.length;
    this.#responses[at] = response;
    this.#sinceMs[at] = sinceMs;
    (response as WaitingResponse)[place] = at;
    response.on('close', this.#leave);
  }

  /** For how long those have waited for which `counts` holds, in milliseconds. */
  ages(counts: (response: ServerResponse) => boolean): number[] {
    const nowMs = performance.now();
    return this.#responses.flatMap((response, at) =>
      response !== undefined && counts(response) ? [nowMs - this.#sinceMs[at]!] : [],
    );
  }

  #remove(response: WaitingResponse): void {
    this.#responses[response[place]] = undefined;
    this.#freePlaces.push(response[place]);
  }
}
