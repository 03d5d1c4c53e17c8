import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../../command/errors.ts';
import { exitCodes } from '../../command/exit-codes.ts';
import { httpFetch } from '../../connection/http-fetch.ts';

export interface ProberOptions {
  /** The list operation of the station, without a query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Pause between requests. */
  readonly pauseMs: number;
}

export interface Question {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS';
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, without any assumptions. */
export interface Answer {
  readonly status: number;
  header(name: string): string | null;
  /** The body, if it is a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

const maxRequests = 60;
const maxAttempts = 3;
const maxWaitMs = 30_000;

/** Sends a server few, slow, read-only requests, none of them twice. */
export class Prober {
  readonly #options: ProberOptions;
  readonly #answers = new Map<string, Promise<Answer>>();
  #requests = 0;

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  get url(): string {
    return this.#options.url;
  }

  ask(query: string, question: Question = {}): Promise<Answer> {
    const key = JSON.stringify([query, question]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#send(query, question);
    this.#answers.set(key, answer);
    return answer;
  }

  async #send(query: string, { method = 'GET', url = this.url, headers = {} }: Question): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      if (this.#requests >= maxRequests) throw new CommandError(`gave up after ${maxRequests} requests`);
      if (this.#requests++ > 0) await sleep(this.#options.pauseMs);
      const target = query === '' ? url : `${url}?${query}`;
      const { response, text } = await this.#fetch(target, { method, headers });
      const body = parseObject(text);
      const { status } = response;
      const isBusy = status === 429 || status === 503;
      if (!isBusy || attempt === maxAttempts)
        return { status, header: (name) => response.headers.get(name), body };
      await sleep(waitMs(response.headers.get('retry-after'), attempt));
    }
  }

  async #fetch(url: string, { method, headers }: RequestInit): Promise<{ response: Response; text: string }> {
    try {
      const response = await httpFetch(url, {
        method: method!,
        headers: { ...this.#options.headers, ...headers },
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      });
      return { response, text: await response.text() };
    } catch (cause) {
      const message = `the server stopped answering, at ${method} ${url}: ${(cause as Error).message}`;
      throw new CommandError(message, { cause, exitCode: exitCodes.unreachable });
    }
  }
}

function waitMs(retryAfter: string | null, attempt: number): number {
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : 2 ** attempt;
  return Math.min(maxWaitMs, seconds * 1000);
}

function parseObject(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
