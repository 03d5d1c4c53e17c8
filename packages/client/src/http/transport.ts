import type { ClientSettings } from '../client-options.ts';
import { Attempt, aborted } from './attempt.ts';
import { EtagCache } from './etag-cache.ts';
import { malformedAnswer, mediaTypeOf, parseJson } from './read-answer.ts';
import type { HttpRequest, JsonAnswer } from './request.ts';
import { isTransient, pause, retryDelayMs } from './retry.ts';

/** A response whose body has not been read. Hold on to it until then: without it, Node.js cancels the body. */
export interface OpenAnswer {
  readonly attempt: Attempt;
  readonly response: Response;
}

/** Sends requests, and repeats them where that is safe and may help. */
export class Transport {
  readonly settings: ClientSettings;
  readonly #cache: EtagCache;

  constructor(settings: ClientSettings) {
    this.settings = settings;
    this.#cache = new EtagCache(settings.maxCacheEntries);
  }

  /** Reads the whole response: JSON, or empty if the status says so. */
  json(request: HttpRequest): Promise<JsonAnswer> {
    const isKept = request.canCache === true && this.settings.maxCacheEntries > 0;
    return this.#repeat(request, () => (isKept ? this.#ask(request) : this.#read(request)));
  }

  /** Resolves with the headers. The caller reads the body, of type `mediaType`, through the attempt and closes it. */
  open(request: HttpRequest, mediaType: string): Promise<OpenAnswer> {
    return this.#repeat(request, async () => {
      const { attempt, response } = await Attempt.open(request, this.settings);
      attempt.suspend();
      if (mediaTypeOf(response) !== mediaType) {
        attempt.close();
        await response.body?.cancel();
        const got = `${mediaTypeOf(response) || 'something'} instead of ${mediaType}`;
        throw malformedAnswer(response, attempt.facts)(got);
      }
      return { attempt, response };
    });
  }

  #read(request: HttpRequest): Promise<JsonAnswer> {
    return Attempt.run(request, this.settings, async (response, { facts }) => {
      const text = await response.text();
      const { status, headers } = response;
      const value = status === 204 ? undefined : parseJson(response, text, facts);
      return { status, headers, value, malformed: malformedAnswer(response, facts) };
    });
  }

  /** Revalidates the cached answer. */
  #ask(request: HttpRequest): Promise<JsonAnswer> {
    const key = JSON.stringify([request.path, String(request.search ?? ''), request.headers]);
    const kept = this.#cache.get(key);
    const headers = { ...request.headers, ...(kept && { 'If-None-Match': kept.etag }) };
    return Attempt.run({ ...request, headers }, this.settings, async (response, { facts }) => {
      const isTrue = response.status === 304 && kept !== undefined;
      const text = isTrue ? kept.text : await response.text();
      const value = isTrue ? JSON.parse(text) : parseJson(response, text, facts);
      const etag = response.headers.get('etag');
      if (etag !== null && !isTrue) this.#cache.set(key, { etag, text });
      return { status: 200, headers: response.headers, value, malformed: malformedAnswer(response, facts) };
    });
  }

  async #repeat<T>(request: HttpRequest, send: () => Promise<T>): Promise<T> {
    const { retries, maxRetryAfterMs } = this.settings;
    const signal = request.options?.signal;
    for (let failed = 1; ; failed++) {
      try {
        return await send();
      } catch (error) {
        if (!request.canRepeat || failed > retries || !isTransient(error)) throw error;
        const delayMs = retryDelayMs(error, failed, maxRetryAfterMs);
        if (delayMs === undefined) throw error;
        await pause(delayMs, signal);
        if (signal?.aborted) throw aborted(request.method, request.path, signal);
      }
    }
  }
}
