import { fullScope, parseScope, type Role, RosterError, type Scope } from '@roster/contract';

/** The caller. The same principal is the same object until something about it changes. */
export interface Principal {
  readonly kind: 'anonymous' | 'token' | 'oidc';
  readonly name: string;
  /** The id of a token, or the subject of an OIDC sign-in. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number | undefined;
}

/** Everyone while authentication is off. */
export const anonymousAdmin: Principal = {
  kind: 'anonymous',
  name: 'anonymous',
  id: 'anonymous',
  role: 'admin',
  scopes: [fullScope],
  expiresAtMs: undefined,
};

/** The account that limits apply to. Without authentication there is none, and they apply to addresses. */
export function accountOf(principal: Principal | undefined): string | undefined {
  return principal?.kind === 'anonymous' ? undefined : principal?.id;
}

/** What users are called is up to their issuer, and often to themselves. */
const looksLikeAnother = /^(?:source|user):|^anonymous$|^roster |\)$/;

/** Tokens can share a name, but not an id. Nobody can be taken for a token, a source or the server. */
export function nameWithId({ kind, name, id }: Principal): string {
  if (kind === 'token') return `${name} (${id})`;
  return kind === 'oidc' && looksLikeAnother.test(name) ? `user:${name}` : name;
}

/** Leaves out what is not a scope. */
export function validScopes(texts: readonly string[]): Scope[] {
  return texts.flatMap((text) => {
    try {
      return [parseScope(text)];
    } catch (error) {
      if (error instanceof RosterError) return [];
      throw error;
    }
  });
}
