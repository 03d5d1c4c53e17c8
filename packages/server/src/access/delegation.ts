import {
  coversScope,
  includesRole,
  limits,
  type NewToken,
  parseScope,
  RosterError,
  type Scope,
} from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import type { Principal } from '../http/principal.ts';

/** Whether a token is in the hands of a principal: all that it covers, the principal covers. */
export function mayManage(principal: Principal, token: StoredToken): boolean {
  return token.scopes.every((scope) => covers(principal, parseScope(scope)));
}

/** Throws `forbidden` if the token would have more than its maker: a higher role, a wider scope or a longer life. */
export function requireDelegable(maker: Principal, { role, scopes, lifeMs }: NewToken): void {
  if (!includesRole(maker.role, role))
    throw forbidden(`you have the role ${maker.role}, so not ${role} either`);
  const wider = scopes.find((scope) => !covers(maker, scope));
  if (wider !== undefined) throw forbidden(`the scope ${wider.text} is not within your own`);
  const { expiresAtMs } = maker;
  if (expiresAtMs === undefined || lifeMs === undefined) return;
  if (lifeMs === null || Date.now() + lifeMs > expiresAtMs) {
    throw forbidden(
      `a token must not outlive its maker, who expires at ${new Date(expiresAtMs).toISOString()}`,
    );
  }
}

/** When a token expires that is made at a time. */
export function expiryOf({ lifeMs }: NewToken, maker: Principal, createdAtMs: number): number | undefined {
  if (lifeMs === null) return undefined;
  if (lifeMs !== undefined) return createdAtMs + lifeMs;
  return Math.min(createdAtMs + limits.defaultTokenLifeMs, maker.expiresAtMs ?? Number.POSITIVE_INFINITY);
}

function covers({ scopes }: Principal, inner: Scope): boolean {
  return scopes.some((scope) => coversScope(scope, inner));
}

function forbidden(detail: string): RosterError {
  return new RosterError('forbidden', detail);
}
