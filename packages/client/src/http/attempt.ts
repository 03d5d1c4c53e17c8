import { type ClientSettings, checkHeader } from '../client-options.ts';
import { RosterClientError } from '../errors.ts';
import { Deadline } from './deadline.ts';
import { type RequestFacts, readHttpError } from './read-answer.ts';
import type { HttpRequest } from './request.ts';

/** A request sent once, with its deadline, until the response is read. */
export class Attempt {
  readonly facts: RequestFacts;
  readonly #deadline: Deadline;
  readonly #callerSignal: AbortSignal | undefined;

  private constructor(request: HttpRequest, settings: ClientSettings, secrets: readonly string[]) {
    const search = request.search?.size ? `?${request.search}` : '';
    this.#callerSignal = request.options?.signal;
    this.#deadline = new Deadline(request.options?.timeoutMs ?? settings.timeoutMs, this.#callerSignal);
    this.facts = {
      method: request.method,
      url: `${settings.baseUrl}${request.path}${search}`,
      redact: (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text),
    };
  }

  /** Runs `read` on a successful response, then closes the attempt. */
  static async run<T>(
    request: HttpRequest,
    settings: ClientSettings,
    read: (response: Response, attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    const { attempt, response } = await Attempt.open(request, settings);
    return attempt.guard(async () => {
      try {
        return await read(response, attempt);
      } finally {
        attempt.close();
      }
    });
  }

  /** Sends the request. The caller must close the attempt after reading the response. */
  static async open(
    request: HttpRequest,
    settings: ClientSettings,
  ): Promise<{ attempt: Attempt; response: Response }> {
    const token = await settings.token();
    const headers = joinHeaders(settings.headers, request.headers);
    if (token !== undefined) headers.authorization = `Bearer ${checkToken(token)}`;
    const secrets = [token, ...Object.values(settings.headers)].filter(isSecret);
    const attempt = new Attempt(request, settings, secrets);
    try {
      return { attempt, response: await attempt.guard(() => attempt.#send(request, headers, settings)) };
    } catch (error) {
      attempt.close();
      throw error;
    }
  }

  /** Classifies a failure. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#translate(error);
    }
  }

  /** From here on, only the reads of `next` are timed, not the time between them. */
  suspend(): void {
    this.#deadline.suspend();
  }

  /** A stream may be silent for as long as a whole response may take. */
  async next<T>(read: () => Promise<T>): Promise<T> {
    this.#deadline.restart();
    try {
      return await this.guard(read);
    } finally {
      this.#deadline.suspend();
    }
  }

  close(): void {
    this.#deadline.clear();
  }

  async #send(
    { method, body }: HttpRequest,
    headers: Record<string, string>,
    settings: ClientSettings,
  ): Promise<Response> {
    const { signal } = this.#deadline;
    signal.throwIfAborted();
    const init: RequestInit & { duplex?: 'half' } = { method, headers, signal };
    if (body !== undefined) {
      init.body = body;
      if (body instanceof ReadableStream) init.duplex = 'half';
    }
    const response = await settings.fetch(this.facts.url, init);
    if (response.ok || response.status === 304) return response;
    throw await readHttpError(response, this.facts);
  }

  #translate(error: unknown): unknown {
    if (error instanceof RosterClientError) return error;
    const { method, url } = this.facts;
    if (this.#deadline.hasExpired) {
      const message = `${method} ${url} timed out: no complete response within ${this.#deadline.timeoutMs} ms`;
      return new RosterClientError('timeout', message);
    }
    if (this.#callerSignal?.aborted) return aborted(method, url, this.#callerSignal);
    const message = this.facts.redact(`${method} ${url} failed: ${reasonOf(error)}`);
    return new RosterClientError('network_failure', message, { cause: error });
  }
}

export function aborted(method: string, url: string, signal: AbortSignal): RosterClientError {
  const message = `${method} ${url} was aborted by its caller`;
  return new RosterClientError('aborted', message, { cause: signal.reason });
}

/** A plain object: `Headers` would load the built-in `fetch` even if the caller supplies another. */
function joinHeaders(
  everyRequest: Readonly<Record<string, string>>,
  thisRequest: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(everyRequest)) headers[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(thisRequest)) {
    checkHeader(name, value);
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new RosterClientError(
    'invalid_argument',
    'token must consist of visible ASCII characters without spaces',
  );
}

/** Short values, such as a language, are not secrets and would match everywhere. */
function isSecret(value: string | undefined): value is string {
  return value !== undefined && value.length >= 8;
}

/** `fetch` nests the reason in one or two causes, some with only a code. */
function reasonOf(error: unknown): string {
  let reason = 'unknown';
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (at.message !== '') reason = at.message;
    else if (typeof code === 'string') reason = code;
  }
  return reason;
}
