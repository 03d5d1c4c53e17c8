import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseScope, RosterError, type Scope } from '@roster/contract';
import type { MaybePromise, StoredToken, TokenStore } from '@roster/engine';
import type { Principal } from '../http/principal.ts';
import { hashToken, isTokenText } from './token-text.ts';

const refreshMs = 2_000;
const minRefreshMs = 200;
/** A token that was revoked on another node must not live longer than this. */
const maxAgeMs = 5_000;
/** Rarely, since whatever is written takes from imports: see decision 0059. */
const recordMs = 120_000;
const maxRememberedTexts = 10_000;

interface KnownToken {
  readonly principal: Principal;
  readonly hash: Buffer;
  isRevoked: boolean;
  /** 0 when it was not used since the start. */
  lastUsedAtMs: number;
  /** The last use that the store knows of. */
  recordedUseMs: number;
}

export interface KnownTokensOptions {
  /** Called when tokens cannot be read, or their uses not be recorded. */
  readonly onFailure: (error: unknown) => void;
}

/** All tokens of the store in memory, read anew every two seconds. */
export class KnownTokens {
  readonly #store: TokenStore;
  readonly #onFailure: KnownTokensOptions['onFailure'];
  readonly #timers: NodeJS.Timeout[] = [];
  #byHash = new Map<string, KnownToken>();
  /** Those that were used lately by their text, so that a request needs no hash. */
  readonly #byText = new Map<string, KnownToken>();
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #queued: Promise<void> | undefined;

  private constructor(store: TokenStore, { onFailure }: KnownTokensOptions) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  static async open(store: TokenStore, options: KnownTokensOptions): Promise<KnownTokens> {
    const tokens = new KnownTokens(store, options);
    await tokens.refresh();
    tokens.#every(refreshMs, () => tokens.refresh());
    tokens.#every(recordMs, () => tokens.recordUses());
    return tokens;
  }

  get count(): number {
    return this.#byHash.size;
  }

  /** Shows every change to the store that was acknowledged before this call. */
  async refresh(): Promise<void> {
    const askedAtMs = performance.now();
    this.#askedAtMs = askedAtMs;
    const stored = await this.#store.list();
    if (askedAtMs < this.#readAtMs) return;
    this.#readAtMs = askedAtMs;
    const before = this.#byHash;
    this.#byHash = new Map(stored.map((token) => [token.hash, before.get(token.hash) ?? know(token)]));
    for (const [hash, token] of before) if (!this.#byHash.has(hash)) token.isRevoked = true;
  }

  /**
   * Throws `unauthorized`, or `store_unavailable` when it cannot be told what was revoked. Answers at once with a token
   * that is known. The store is asked when the last answer is too old, or when the token is not known: it may have
   * been made on another node just now.
   */
  authenticate(text: string): MaybePromise<Principal> {
    const used = this.#byText.get(text);
    const token = used === undefined || used.isRevoked ? this.#find(text) : used;
    if (token !== undefined && this.#isFresh()) return admit(token);
    return this.#refreshSoon().then(() => {
      const found = this.#find(text);
      if (found !== undefined) return admit(found);
      throw unauthorized('this token is not known: it was revoked, or is of another server');
    });
  }

  /** Whether a text is a valid token, as far as is known. */
  knows(text: string): boolean {
    const token = this.#byText.get(text) ?? (isTokenText(text) ? this.#find(text) : undefined);
    return token !== undefined && !token.isRevoked && !isExpired(token.principal, Date.now());
  }

  /** Whether a principal that was authenticated before would still be. */
  isValid(principal: Principal): boolean {
    return (
      this.#isFresh() && !isExpired(principal, Date.now()) && !(owners.get(principal)?.isRevoked ?? true)
    );
  }

  /** Writes to the store when tokens were last used. */
  async recordUses(): Promise<void> {
    const uses = new Map<string, number>();
    for (const { principal, lastUsedAtMs, recordedUseMs } of this.#byHash.values()) {
      if (lastUsedAtMs > recordedUseMs) uses.set(principal.id, lastUsedAtMs);
    }
    if (uses.size === 0) return;
    await this.#store.recordUses(uses);
    for (const token of this.#byHash.values()) {
      token.recordedUseMs = uses.get(token.principal.id) ?? token.recordedUseMs;
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.recordUses().catch(this.#onFailure);
  }

  #find(text: string): KnownToken | undefined {
    if (!isTokenText(text)) {
      throw unauthorized('this is not a token: it is mistyped or cut off; a token begins with roster_');
    }
    const hash = hashToken(text);
    const token = this.#byHash.get(hash);
    if (token === undefined || !timingSafeEqual(token.hash, Buffer.from(hash, 'hex'))) return undefined;
    if (this.#byText.size >= maxRememberedTexts) this.#byText.clear();
    this.#byText.set(text, token);
    return token;
  }

  #isFresh(): boolean {
    return performance.now() - this.#readAtMs <= maxAgeMs;
  }

  /** Whoever asks before it begins shares it, so that guesses cost the store no more than a few questions a second. */
  #refreshSoon(): Promise<void> {
    const waitMs = Math.max(0, this.#askedAtMs + minRefreshMs - performance.now());
    this.#queued ??= sleep(waitMs).then(() => {
      this.#queued = undefined;
      return this.refresh().catch((cause) => {
        if (cause instanceof RosterError && cause.code === 'database_replaced') throw cause;
        throw new RosterError('store_unavailable', 'the tokens cannot be read', { cause });
      });
    });
    return this.#queued;
  }

  #every(ms: number, task: () => Promise<void>): void {
    let isRunning = false;
    const run = () => {
      if (isRunning) return;
      isRunning = true;
      task()
        .catch(this.#onFailure)
        .finally(() => {
          isRunning = false;
        });
    };
    this.#timers.push(setInterval(run, ms).unref());
  }
}

const owners = new WeakMap<Principal, KnownToken>();

function know({ id, name, role, scopes, hash, expiresAtMs }: StoredToken): KnownToken {
  const principal: Principal = {
    kind: 'token',
    id,
    name,
    role,
    scopes: scopes.flatMap(readScope),
    expiresAtMs,
  };
  const token = {
    principal,
    hash: Buffer.from(hash, 'hex'),
    isRevoked: false,
    lastUsedAtMs: 0,
    recordedUseMs: 0,
  };
  owners.set(principal, token);
  return token;
}

/** A scope that is damaged in the store opens nothing, and does not keep others from theirs. */
function readScope(text: string): Scope[] {
  try {
    return [parseScope(text)];
  } catch {
    return [];
  }
}

function admit(token: KnownToken): Principal {
  const now = Date.now();
  if (isExpired(token.principal, now)) throw unauthorized('this token has expired');
  token.lastUsedAtMs = now;
  return token.principal;
}

function isExpired({ expiresAtMs }: Principal, now: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= now;
}

function unauthorized(detail: string): RosterError {
  return new RosterError('unauthorized', detail);
}
