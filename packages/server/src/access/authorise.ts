import {
  type Access,
  coversScope,
  fullScope,
  includesRole,
  isInScope,
  RosterError,
  type StationAddress,
} from '@roster/contract';
import type { Principal } from '../http/principal.ts';

/**
 * Throws `forbidden` unless the principal may use an operation of this access on this station. It looks at nothing
 * but its arguments, so it tells nothing of what exists.
 */
export function authorise(access: Access, principal: Principal, address: StationAddress | undefined): void {
  if (access === 'open') return;
  if (!includesRole(principal.role, access.role)) {
    throw forbidden(
      `this needs the role ${access.role}; ${nameOf(principal)} has the role ${principal.role}`,
    );
  }
  if (access.over === 'everything' && !coversEverything(principal)) {
    throw forbidden(`this needs the scope **, which ${nameOf(principal)} does not have`);
  }
  if (access.over === 'station' && !coversStation(principal, address!)) {
    throw forbidden(`this station is in no scope of ${nameOf(principal)}`);
  }
}

function coversEverything({ scopes }: Principal): boolean {
  return scopes.some((scope) => coversScope(scope, fullScope));
}

const decisions = new WeakMap<Principal, WeakMap<StationAddress, boolean>>();

/** Lists give the same object for the same station, so that for them it is decided once. */
function coversStation(principal: Principal, address: StationAddress): boolean {
  if (principal.scopes[0]?.parts.length === 0) return true;
  const known = decisions.getOrInsertComputed(principal, () => new WeakMap());
  return known.getOrInsertComputed(address, () =>
    principal.scopes.some((scope) => isInScope(scope, address)),
  );
}

function nameOf({ kind, name }: Principal): string {
  return kind === 'token' ? `this token (${name})` : name;
}

function forbidden(detail: string): RosterError {
  return new RosterError('forbidden', detail);
}
