import type { ServerResponse } from 'node:http';

const place = Symbol('where it is among those that wait');

interface WaitingResponse extends ServerResponse {
  [place]?: number | undefined;
}

/** The responses that are not sent yet. Each has a place in an array: a Map of them takes a noticeable part of a list. */
export class WaitingResponses {
  readonly #responses: (ServerResponse | undefined)[] = [];
  readonly #sinceMs: number[] = [];
  readonly #freePlaces: number[] = [];

  get count(): number {
    return this.#responses.length - this.#freePlaces.length;
  }

  add(response: ServerResponse, sinceMs: number): void {
    const at = this.#freePlaces.pop() ?? this.#responses.length;
    this.#responses[at] = response;
    this.#sinceMs[at] = sinceMs;
    (response as WaitingResponse)[place] = at;
  }

  /** Does nothing with one that was never added. */
  remove(response: WaitingResponse): void {
    const at = response[place];
    if (at === undefined) return;
    response[place] = undefined;
    this.#responses[at] = undefined;
    this.#freePlaces.push(at);
  }

  /** For how long those have waited for which `counts` holds, in milliseconds. */
  ages(counts: (response: ServerResponse) => boolean): number[] {
    const nowMs = performance.now();
    return this.#responses.flatMap((response, at) =>
      response !== undefined && counts(response) ? [nowMs - this.#sinceMs[at]!] : [],
    );
  }
}
