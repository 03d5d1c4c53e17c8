import { quote, RosterError } from '@roster/contract';
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { Logger } from 'pino';

export interface IssuerOptions {
  readonly logger: Logger;
  readonly timing?: IssuerTiming;
}

export interface IssuerTiming {
  /** The minimum time between two requests to the issuer because of unknown keys. */
  readonly cooldownMs: number;
  /** How often the keys are reloaded. */
  readonly refreshMs: number;
  /** How often an issuer that does not answer is retried. */
  readonly retryMs: number;
}

const defaultTiming: IssuerTiming = { cooldownMs: 30_000, refreshMs: 600_000, retryMs: 5_000 };
const timeoutMs = 5_000;
const maxAnswerLength = 2 ** 20;

interface Known {
  readonly metadata: ServerMetadata;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
  /** Metadata and keys as the issuer sent them. */
  readonly text: string;
}

/** The metadata and keys of an OpenID provider. They stay in use while it does not answer. */
export class Issuer {
  readonly url: string;
  readonly #logger: Logger;
  readonly #timing: IssuerTiming;
  #known: Known | undefined;
  #refreshing: Promise<void> | undefined;
  #askedAtMs = 0;
  #isAnswering = true;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(url: string, { logger, timing = defaultTiming }: IssuerOptions) {
    this.url = url;
    this.#logger = logger;
    this.#timing = timing;
  }

  /** Resolves after the first attempt, whether it worked or not. */
  async start(): Promise<void> {
    await this.#refresh();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  get metadata(): ServerMetadata {
    return this.#require().metadata;
  }

  /** Changes with the keys: tokens that were verified before may no longer be valid. */
  get version(): unknown {
    return this.#known?.keys;
  }

  /** The key that a token names. Reloads the keys if it is unknown, unless that was done recently. */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    try {
      return await this.#require().keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const isCoolingDown = Date.now() < this.#askedAtMs + this.#timing.cooldownMs;
      if (!isCoolingDown || this.#refreshing) await this.#refresh();
      if (!this.#isAnswering) throw unavailable();
      return this.#require().keys(header, token);
    }
  };

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#ask().finally(() => {
      this.#refreshing = undefined;
      this.#schedule();
    });
    return this.#refreshing;
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = Date.now();
    try {
      const known = await readIssuer(this.url);
      if (known.text !== this.#known?.text) this.#known = known;
      if (!this.#isAnswering) this.#logger.info({ issuer: this.url }, 'the issuer answers again');
      this.#isAnswering = true;
    } catch (error) {
      const level = this.#isAnswering ? 'error' : 'debug';
      const consequence = this.#known
        ? 'its keys as last read stay in use'
        : 'nobody can sign in with it until it answers; API tokens work';
      this.#isAnswering = false;
      const about = { issuer: this.url, reason: reasonOf(error) };
      this.#logger[level](about, `the OpenID issuer cannot be used, ${consequence}`);
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    const { refreshMs, retryMs } = this.#timing;
    this.#timer = setTimeout(() => this.#refresh(), this.#isAnswering ? refreshMs : retryMs).unref();
  }

  #require(): Known {
    if (this.#known === undefined) throw unavailable();
    return this.#known;
  }
}

async function readIssuer(url: string): Promise<Known> {
  const metadata = await readJson<ServerMetadata>(
    `${url.replace(/\/$/, '')}/.well-known/openid-configuration`,
  );
  if (metadata?.issuer !== url) {
    throw new Error(`it calls itself ${quote(String(metadata?.issuer))}, the settings say ${quote(url)}`);
  }
  const { jwks_uri: keysUrl } = metadata;
  if (typeof keysUrl !== 'string') throw new Error('its description has no jwks_uri');
  if (url.startsWith('https:') && !keysUrl.startsWith('https:')) throw new Error('its keys come without TLS');
  const jwks = await readJson<Parameters<typeof createLocalJWKSet>[0]>(keysUrl);
  return { metadata, keys: createLocalJWKSet(jwks), text: JSON.stringify([metadata, jwks]) };
}

async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url, {
    headers: { Accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const text = await response.text();
  if (text.length > maxAnswerLength) throw new Error(`${url} answered more than ${maxAnswerLength} bytes`);
  return JSON.parse(text) as T;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error
    ? `${message}: ${cause.message || (cause as NodeJS.ErrnoException).code}`
    : message;
}

function unavailable(): RosterError {
  return new RosterError('issuer_unavailable', 'the OpenID issuer that could verify this does not answer');
}
