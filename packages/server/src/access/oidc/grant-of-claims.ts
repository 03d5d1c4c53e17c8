import { includesRole, type Role, type Scope } from '@roster/contract';
import { type Principal, validScopes } from '../../http/principal.ts';
import { anyone, type ClaimRules } from './oidc-settings.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The highest role that the rules give for these claims, and all scopes. Undefined without either. */
export function grantOfClaims(
  claims: Claims,
  rules: ClaimRules,
): Pick<Principal, 'role' | 'scopes'> | undefined {
  const role = highestRole(valuesAt(claims, rules.roleClaim), rules.roles);
  const scopes = scopesOf(valuesAt(claims, rules.scopeClaim), rules.scopes);
  return role === undefined || scopes.length === 0 ? undefined : { role, scopes };
}

function highestRole(values: readonly string[], rules: ClaimRules['roles']): Role | undefined {
  const given = [...values, anyone].flatMap((value) => rules.get(value) ?? []);
  return given.find((role) => given.every((other) => includesRole(role, other)));
}

function scopesOf(values: readonly string[], rules: ClaimRules['scopes']): Scope[] {
  // Without rules the claim has the scopes, perhaps among values that are meant for others.
  const scopes = rules ? [...values, anyone].flatMap((value) => rules.get(value) ?? []) : validScopes(values);
  return [...new Map(scopes.map((scope) => [scope.text, scope])).values()];
}

/** A claim may be a list, a value, or words separated by spaces. */
function valuesAt(claims: Claims, path: string): string[] {
  const claim = claimAt(claims, path);
  if (typeof claim === 'string') return [...new Set([claim, ...claim.split(' ')])].filter(Boolean);
  return Array.isArray(claim) ? claim.filter((value) => typeof value === 'string' && value !== '') : [];
}

/** The name of a claim may have dots: `https://example.com/roles`. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((within, name) => {
    const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    return isObject ? (within as Claims)[name] : undefined;
  }, claims);
}
