import { fullScope, type Role, type Scope } from '@roster/contract';

/** Who calls. The same principal is the same object as long as nothing about it changes. */
export interface Principal {
  readonly kind: 'anonymous' | 'token' | 'oidc';
  /** For people. */
  readonly name: string;
  /** Names it for good: the id of a token, the subject of an OIDC sign-in. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly expiresAtMs: number | undefined;
}

/** Everybody, where authentication is off. */
export const anonymousAdmin: Principal = {
  kind: 'anonymous',
  name: 'anonymous',
  id: 'anonymous',
  role: 'admin',
  scopes: [fullScope],
  expiresAtMs: undefined,
};

/** Under which its use is counted; undefined where nobody is asked who they are, and only addresses can be told apart. */
export function accountOf(principal: Principal | undefined): string | undefined {
  return principal?.kind === 'anonymous' ? undefined : principal?.id;
}
