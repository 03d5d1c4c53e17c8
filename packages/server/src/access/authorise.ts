import {
  type Access,
  coversScope,
  fullScope,
  includesRole,
  isInScope,
  limits,
  type NewToken,
  parseScope,
  RosterError,
  type Scope,
  type StationAddress,
} from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import type { Principal } from '../http/principal.ts';

/**
 * Throws `forbidden` unless the principal may use the operation on this station: `operations` of the contract has the role
 * that each needs. Reveals nothing about what exists.
 */
export function authorise(access: Access, principal: Principal, address: StationAddress | undefined): void {
  if (access === 'open') return;
  if (!includesRole(principal.role, access.role)) {
    throw forbidden(
      `this needs the role ${access.role}; ${nameOf(principal)} has the role ${principal.role}`,
    );
  }
  if (access.over === 'everything' && !covers(principal, fullScope)) {
    throw forbidden(`this needs the scope **, which ${nameOf(principal)} does not have`);
  }
  if (access.over === 'station' && !coversStation(principal, address!)) {
    throw forbidden(`this station is in no scope of ${nameOf(principal)}`);
  }
}

const decisions = new WeakMap<Principal, WeakMap<StationAddress, boolean>>();

/** The router returns the same object for the same station, so each is decided once. */
export function coversStation(principal: Principal, address: StationAddress): boolean {
  if (principal.scopes[0]?.parts.length === 0) return true;
  const known = decisions.getOrInsertComputed(principal, () => new WeakMap());
  return known.getOrInsertComputed(address, () =>
    principal.scopes.some((scope) => isInScope(scope, address)),
  );
}

/** Whether a principal covers all scopes of a token. */
export function mayManage(principal: Principal, token: StoredToken): boolean {
  return token.scopes.every((scope) => covers(principal, parseScope(scope)));
}

/** Throws `forbidden` if the token would have a higher role, a wider scope or a longer life than its maker. */
export function requireDelegable(maker: Principal, { role, scopes, lifeMs }: NewToken): void {
  if (!includesRole(maker.role, role))
    throw forbidden(`you have the role ${maker.role} and cannot grant ${role}`);
  const wider = scopes.find((scope) => !covers(maker, scope));
  if (wider !== undefined) throw forbidden(`the scope ${wider.text} is not within your own`);
  const { expiresAtMs } = maker;
  if (expiresAtMs === undefined || lifeMs === undefined) return;
  if (lifeMs === null || Date.now() + lifeMs > expiresAtMs) {
    throw forbidden(
      `a token must not outlive its maker, which expires at ${new Date(expiresAtMs).toISOString()}`,
    );
  }
}

export function expiryOf({ lifeMs }: NewToken, maker: Principal, createdAtMs: number): number | undefined {
  if (lifeMs === null) return undefined;
  if (lifeMs !== undefined) return createdAtMs + lifeMs;
  return Math.min(createdAtMs + limits.defaultTokenLifeMs, maker.expiresAtMs ?? Infinity);
}

function covers({ scopes }: Principal, inner: Scope): boolean {
  return scopes.some((scope) => coversScope(scope, inner));
}

function nameOf({ kind, name }: Principal): string {
  return kind === 'token' ? `this token (${name})` : name;
}

function forbidden(detail: string): RosterError {
  return new RosterError('forbidden', detail);
}
