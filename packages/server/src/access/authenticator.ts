import { RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import type { Exchange } from '../http/exchange.ts';
import { anonymousAdmin, type Principal } from '../http/principal.ts';
import { requireSameOrigin } from '../http/same-origin.ts';
import type { FailedCredentials } from './failed-credentials.ts';
import type { KnownTokens } from './known-tokens.ts';
import type { OidcAuthenticator } from './oidc/oidc-authenticator.ts';
import { readSessionCookie } from './session-cookie.ts';
import { tokenPrefix } from './token-text.ts';

interface AuthenticatorOptions {
  /** Undefined if authentication is off. */
  readonly tokens: KnownTokens | undefined;
  readonly oidc: OidcAuthenticator | undefined;
  readonly failures: FailedCredentials;
}

/** Identifies the caller of a request. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  get isRequired(): boolean {
    return this.#options.tokens !== undefined;
  }

  /** Throws `unauthorized` without a valid credential. Returns at once for a known token. */
  authenticate(exchange: Exchange): MaybePromise<Principal> {
    const principal = this.identify(exchange);
    if (principal !== undefined) return principal;
    throw new RosterError('unauthorized', 'authentication required: send Authorization: Bearer <token>');
  }

  /** Undefined without a credential. Throws `unauthorized` if it is not valid. */
  identify(exchange: Exchange): MaybePromise<Principal> | undefined {
    if (!this.isRequired) return anonymousAdmin;
    const { authorization } = exchange.request.headers;
    if (authorization !== undefined) {
      const bearer = bearerOf(authorization);
      if (bearer !== undefined) return this.principalOf(bearer, exchange);
      return this.#options.failures.guard(exchange, () => {
        const parameter = 'Authorization';
        throw new RosterError('unauthorized', 'Authorization must be Bearer and a token', { parameter });
      });
    }
    const credential = readSessionCookie(exchange);
    if (credential === undefined) return undefined;
    if (!exchange.isRead) requireSameOrigin(exchange);
    return this.principalOf(credential, exchange);
  }

  /** The principal of a token or JWT that came with a request. */
  principalOf(credential: string, exchange: Exchange): MaybePromise<Principal> {
    const { tokens, oidc, failures } = this.#options;
    if (tokens === undefined) return anonymousAdmin;
    const kind = oidc === undefined || credential.startsWith(tokenPrefix) ? tokens : oidc;
    if (kind.knows(credential)) return kind.authenticate(credential);
    return failures.guard(exchange, () => kind.authenticate(credential));
  }

  /** Whether a principal is still valid. */
  isValid(principal: Principal): boolean {
    const { tokens, oidc } = this.#options;
    if (tokens === undefined) return true;
    return (principal.kind === 'token' ? tokens : oidc)?.isValid(principal) ?? false;
  }

  /** Throws `unauthorized` if a principal is no longer valid. */
  requireValid(principal: Principal): void {
    if (!this.isValid(principal)) throw noLongerValid();
  }
}

export function noLongerValid(): RosterError {
  return new RosterError(
    'unauthorized',
    'the token was revoked or has expired meanwhile; nothing was written',
  );
}

function bearerOf(authorization: string): string | undefined {
  if (authorization.startsWith('Bearer roster_')) return authorization.slice(7);
  return /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
}
