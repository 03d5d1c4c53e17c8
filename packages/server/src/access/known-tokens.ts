import { timingSafeEqual } from 'node:crypto';
import { parseScope, RosterError } from '@roster/contract';
import type { StoredToken, TokenStore } from '@roster/engine';
import type { Principal } from './principal.ts';
import { hashToken, isTokenText } from './token-text.ts';

const refreshMs = 2_000;
/** A token that was revoked on another node must not live longer than this. */
const maxAgeMs = 5_000;
const recordMs = 30_000;
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
  #readAtMs = Number.NEGATIVE_INFINITY;

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

  /** Shows every change to the store that was acknowledged before this call. */
  async refresh(): Promise<void> {
    const askedAtMs = performance.now();
    const stored = await this.#store.list();
    if (askedAtMs < this.#readAtMs) return;
    this.#readAtMs = askedAtMs;
    const before = this.#byHash;
    this.#byHash = new Map(stored.map((token) => [token.hash, before.get(token.hash) ?? know(token)]));
    for (const [hash, token] of before) if (!this.#byHash.has(hash)) token.isRevoked = true;
  }

  /** Throws `unauthorized`, or `store_unavailable` when it is not known any more what was revoked. */
  authenticate(text: string): Principal {
    const token = this.#byText.get(text) ?? this.#lookUp(text);
    this.#requireFresh();
    if (token.isRevoked) throw unauthorized('this token was revoked');
    const now = Date.now();
    if (isExpired(token.principal, now)) throw unauthorized('this token has expired');
    token.lastUsedAtMs = now;
    return token.principal;
  }

  /** Whether a principal that was authenticated before would still be. */
  isValid(principal: Principal): boolean {
    const isFresh = performance.now() - this.#readAtMs <= maxAgeMs;
    return isFresh && !isExpired(principal, Date.now()) && !(owners.get(principal)?.isRevoked ?? true);
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

  #lookUp(text: string): KnownToken {
    if (!isTokenText(text)) {
      throw unauthorized('this is not a token: it is mistyped or cut off; a token begins with roster_');
    }
    const hash = hashToken(text);
    const token = this.#byHash.get(hash);
    if (token === undefined || !timingSafeEqual(token.hash, Buffer.from(hash, 'hex'))) {
      this.#requireFresh();
      throw unauthorized('this token is not known: it was revoked, or is of another server');
    }
    if (this.#byText.size >= maxRememberedTexts) this.#byText.clear();
    this.#byText.set(text, token);
    return token;
  }

  #requireFresh(): void {
    if (performance.now() - this.#readAtMs <= maxAgeMs) return;
    throw new RosterError('store_unavailable', 'tokens could not be read for more than 5 s');
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
  const principal: Principal = { kind: 'token', id, name, role, scopes: scopes.map(parseScope), expiresAtMs };
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

function isExpired({ expiresAtMs }: Principal, now: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= now;
}

function unauthorized(detail: string): RosterError {
  return new RosterError('unauthorized', detail);
}
