import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError } from '@roster/contract';
import type { MaybePromise, StoredToken, TokenStore } from '@roster/engine';
import { type Principal, validScopes } from '../http/principal.ts';
import { repeat } from '../node/repeat.ts';
import { hashToken, isTokenText } from './token-text.ts';

const refreshMs = 2_000;
const minRefreshMs = 200;
/** A token that another node revoked must not live longer than this. */
const maxAgeMs = 5_000;
/** Rarely: every write slows down imports. See decision 0059. */
const recordMs = 120_000;
const maxRememberedTexts = 10_000;

interface KnownToken {
  readonly principal: Principal;
  readonly hash: Buffer;
  isRevoked: boolean;
  /** 0 if unused since the start. */
  lastUsedAtMs: number;
  /** The last use in the store. */
  recordedUseMs: number;
}

/** All tokens of the store in memory, reloaded every two seconds. */
export class KnownTokens {
  readonly #store: TokenStore;
  readonly #onFailure: (error: unknown) => void;
  readonly #stops: (() => void)[] = [];
  #byHash = new Map<string, KnownToken>();
  /** Recently used tokens by their text: saves hashing. */
  readonly #byText = new Map<string, KnownToken>();
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #queued: Promise<void> | undefined;

  private constructor(store: TokenStore, onFailure: (error: unknown) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
  }

  /** `onFailure` is called when tokens cannot be read, or their uses cannot be recorded. */
  static async open(store: TokenStore, onFailure: (error: unknown) => void): Promise<KnownTokens> {
    const tokens = new KnownTokens(store, onFailure);
    await tokens.refresh();
    tokens.#stops.push(
      repeat(refreshMs, () => tokens.refresh(), onFailure),
      repeat(recordMs, () => tokens.recordUses(), onFailure),
    );
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
   * Throws `unauthorized`, or `store_unavailable` if it does not know what was revoked. Known tokens are answered at once.
   * It asks the store if its tokens are too old, or if another node may have just created this one.
   */
  authenticate(text: string): MaybePromise<Principal> {
    const used = this.#byText.get(text);
    const token = used === undefined || used.isRevoked ? this.#find(text) : used;
    if (token !== undefined && this.#isFresh()) return admit(token);
    return this.#refreshSoon().then(() => {
      const found = this.#find(text);
      if (found !== undefined) return admit(found);
      throw unauthorized('this token is unknown: it was revoked, or belongs to another server');
    });
  }

  /** Whether a text is a valid token, without asking the store. */
  knows(text: string): boolean {
    const token = this.#byText.get(text) ?? (isTokenText(text) ? this.#find(text) : undefined);
    return token !== undefined && !token.isRevoked && !isExpired(token.principal, Date.now());
  }

  /** Whether a principal is still valid. */
  isValid(principal: Principal): boolean {
    return (
      this.#isFresh() && !isExpired(principal, Date.now()) && !(owners.get(principal)?.isRevoked ?? true)
    );
  }

  /** Stores when tokens were last used. */
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
    for (const stop of this.#stops) stop();
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

  /** Callers share a refresh that has not begun: guessed tokens cost the store a few questions a second at most. */
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
}

const owners = new WeakMap<Principal, KnownToken>();

function know({ id, name, role, scopes, hash, expiresAtMs }: StoredToken): KnownToken {
  // A scope that is damaged in the store must not lock out other tokens.
  const principal: Principal = { kind: 'token', id, name, role, scopes: validScopes(scopes), expiresAtMs };
  const bytes = Buffer.from(hash, 'hex');
  const token = { principal, hash: bytes, isRevoked: false, lastUsedAtMs: 0, recordedUseMs: 0 };
  owners.set(principal, token);
  return token;
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
