import { includesRole, parseScope, type Role, RosterError, type Scope } from '@roster/contract';
import { anyone, type ClaimRules } from './oidc-settings.ts';

export interface Grant {
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

type Claims = Readonly<Record<string, unknown>>;

/** What the rules give to a holder of these claims: the highest role, over all scopes. Nothing without both. */
export function grantOfClaims(claims: Claims, rules: ClaimRules): Grant | undefined {
  const role = highestRole(valuesAt(claims, rules.roleClaim), rules.roles);
  const scopes = scopesOf(valuesAt(claims, rules.scopeClaim), rules.scopes);
  return role === undefined || scopes.length === 0 ? undefined : { role, scopes };
}

function highestRole(values: readonly string[], roles: ClaimRules['roles']): Role | undefined {
  const given = [...values, anyone].flatMap((value) => roles.get(value) ?? []);
  return given.reduce<Role | undefined>(
    (highest, role) => (highest !== undefined && includesRole(highest, role) ? highest : role),
    undefined,
  );
}

function scopesOf(values: readonly string[], rules: ClaimRules['scopes']): Scope[] {
  const scopes =
    rules === undefined
      ? values.flatMap(asScope)
      : [...values, anyone].flatMap((value) => rules.get(value) ?? []);
  return [...new Map(scopes.map((scope) => [scope.text, scope])).values()];
}

/** A claim may well hold values that are meant for others. */
function asScope(text: string): Scope[] {
  try {
    return [parseScope(text)];
  } catch (error) {
    if (error instanceof RosterError) return [];
    throw error;
  }
}

/** A list, a single value, or words with blanks between them. */
function valuesAt(claims: Claims, path: string): string[] {
  const claim = claimAt(claims, path);
  if (typeof claim === 'string') return [...new Set([claim, ...claim.split(' ')])].filter(Boolean);
  return Array.isArray(claim) ? claim.filter((value) => typeof value === 'string' && value !== '') : [];
}

/** The name of a claim may have dots itself: `https://example.com/roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((within, name) => {
    const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    return isObject ? (within as Claims)[name] : undefined;
  }, claims);
}
