import type { IncomingMessage } from 'node:http';
import { RosterError } from '@roster/contract';
import type { MaybePromise } from '@roster/engine';
import type { ClientOf } from '../protection/trusted-proxies.ts';
import type { KnownTokens } from './known-tokens.ts';
import { anonymousAdmin, type Principal } from './principal.ts';
import { readSessionCookie, requireSameOrigin } from './session-cookie.ts';
import { tokenPrefix } from './token-text.ts';

/** Finds out whom a JWT stands for. */
interface JwtAuthenticator {
  authenticate(jwt: string): MaybePromise<Principal>;
}

export interface AuthenticatorOptions {
  /** Undefined where authentication is off. */
  readonly tokens: KnownTokens | undefined;
  readonly oidc: JwtAuthenticator | undefined;
  readonly clientOf: ClientOf;
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
  authenticate(request: IncomingMessage): MaybePromise<Principal> {
    const principal = this.identify(request);
    if (principal !== undefined) return principal;
    throw new RosterError('unauthorized', 'this needs a token, in the header Authorization: Bearer <token>');
  }

  /** Undefined when the request brings no credential. Throws as `authenticate` does when it is not valid. */
  identify(request: IncomingMessage): MaybePromise<Principal> | undefined {
    if (!this.isRequired) return anonymousAdmin;
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.principalOf(bearerOf(authorization));
    const credential = readSessionCookie(request);
    if (credential === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      requireSameOrigin(request, this.#options.clientOf(request).origin);
    }
    return this.principalOf(credential);
  }

  /** Whom a token or JWT stands for. */
  principalOf(credential: string): MaybePromise<Principal> {
    const { tokens, oidc } = this.#options;
    if (tokens === undefined) return anonymousAdmin;
    const isToken = oidc === undefined || credential.startsWith(tokenPrefix);
    return isToken ? tokens.authenticate(credential) : oidc.authenticate(credential);
  }

  /** Whether a principal that was authenticated before would still be. */
  isValid(principal: Principal): boolean {
    const { tokens } = this.#options;
    if (tokens === undefined) return true;
    if (principal.kind === 'token') return tokens.isValid(principal);
    return principal.expiresAtMs !== undefined && principal.expiresAtMs > Date.now();
  }

  /** Throws `unauthorized` when a principal that was let in is not valid any more. */
  requireValid(principal: Principal): void {
    if (this.isValid(principal)) return;
    throw new RosterError(
      'unauthorized',
      'the token was revoked or has expired meanwhile; nothing was written',
    );
  }
}

function bearerOf(authorization: string): string {
  if (authorization.startsWith('Bearer roster_')) return authorization.slice(7);
  const [, credential] = /^bearer +(\S+)$/i.exec(authorization.trim()) ?? [];
  if (credential !== undefined) return credential;
  throw new RosterError('unauthorized', 'Authorization must be Bearer and a token', {
    parameter: 'Authorization',
  });
}
