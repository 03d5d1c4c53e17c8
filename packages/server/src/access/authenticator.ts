import { RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import type { Exchange } from '../http/exchange.ts';
import { anonymousAdmin, type Principal } from '../http/principal.ts';
import type { FailedCredentials } from './failed-credentials.ts';
import type { KnownTokens } from './known-tokens.ts';
import { readSessionCookie, requireSameOrigin } from './session-cookie.ts';
import { tokenPrefix } from './token-text.ts';

/** Finds out whom a credential of some kind stands for. */
interface CredentialAuthenticator {
  authenticate(credential: string): MaybePromise<Principal>;
  /** Whether it is valid as far as is known, without asking anyone. */
  knows(credential: string): boolean;
  /** Whether a principal that it found before would still be found. */
  isValid(principal: Principal): boolean;
}

export interface AuthenticatorOptions {
  /** Undefined where authentication is off. */
  readonly tokens: KnownTokens | undefined;
  readonly oidc: CredentialAuthenticator | undefined;
  readonly failures: FailedCredentials;
}

/** Finds out who calls. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
  }

  get isRequired(): boolean {
    return this.#options.tokens !== undefined;
  }

  /** Throws `unauthorized` when there is no valid credential. Answers at once when it can: with a token that is known. */
  authenticate(exchange: Exchange): MaybePromise<Principal> {
    const principal = this.identify(exchange);
    if (principal !== undefined) return principal;
    throw new RosterError('unauthorized', 'this needs a token, in the header Authorization: Bearer <token>');
  }

  /** Undefined when the request brings no credential. Throws as `authenticate` does when it is not valid. */
  identify(exchange: Exchange): MaybePromise<Principal> | undefined {
    if (!this.isRequired) return anonymousAdmin;
    const { authorization } = exchange.request.headers;
    if (authorization !== undefined) {
      const bearer = bearerOf(authorization);
      return bearer === undefined ? this.#refuse(exchange) : this.principalOf(bearer, exchange);
    }
    const credential = readSessionCookie(exchange);
    if (credential === undefined) return undefined;
    if (!exchange.isRead) requireSameOrigin(exchange);
    return this.principalOf(credential, exchange);
  }

  /** Whom a token or JWT that came with a request stands for. */
  principalOf(credential: string, exchange: Exchange): MaybePromise<Principal> {
    const { tokens, oidc, failures } = this.#options;
    if (tokens === undefined) return anonymousAdmin;
    const kind = oidc === undefined || credential.startsWith(tokenPrefix) ? tokens : oidc;
    if (kind.knows(credential)) return kind.authenticate(credential);
    return failures.guard(exchange, () => kind.authenticate(credential));
  }

  #refuse(exchange: Exchange): MaybePromise<never> {
    return this.#options.failures.guard(exchange, () => {
      throw noBearer();
    });
  }

  /** Whether a principal that was authenticated before would still be. */
  isValid(principal: Principal): boolean {
    const { tokens, oidc } = this.#options;
    if (tokens === undefined) return true;
    return (principal.kind === 'token' ? tokens : oidc)?.isValid(principal) ?? false;
  }

  /** Throws `unauthorized` when a principal that was let in is not valid any more. */
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

function noBearer(): RosterError {
  return new RosterError('unauthorized', 'Authorization must be Bearer and a token', {
    parameter: 'Authorization',
  });
}
