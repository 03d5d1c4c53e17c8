import { limits } from '../limits.ts';
import { quote } from '../quote.ts';
import { textError } from '../record/record-fields.ts';
import { type Role, roles } from '../role.ts';
import { readMembers, throwInvalidBody } from '../write/json-body.ts';
import { parseDuration } from './duration.ts';
import { parseScope, type Scope } from './scope.ts';

/** A request for a token. */
export interface NewToken {
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Null for no expiry; undefined for the default of the server. */
  readonly lifeMs: number | null | undefined;
}

const memberNames = ['name', 'role', 'scopes', 'expires_in'] as const;

/** Reads a parsed JSON body. Reports every error at once. */
export function parseNewToken(input: unknown): NewToken {
  const errors: string[] = [];
  const members = readMembers(input, memberNames, errors);
  const token = {
    name: readName(members.name, errors),
    role: readRole(members.role, errors),
    scopes: readScopes(members.scopes, errors),
    lifeMs: readLife(members.expires_in, errors),
  };
  throwInvalidBody(errors);
  return token;
}

function readName(value: unknown, errors: string[]): string {
  const name = typeof value === 'string' ? value.trim() : '';
  const error = name === '' ? 'must say what the token is for' : nameError(name);
  if (error !== undefined) errors.push(`name ${error}`);
  return name;
}

function nameError(name: string): string | undefined {
  if (/roster_[0-9A-Za-z]{20}/.test(name)) return 'must not hold a token';
  return textError(name, limits.maxTokenNameLength);
}

function readRole(value: unknown, errors: string[]): Role {
  const role = roles.find((known) => known === value);
  if (role === undefined)
    errors.push(`role must be one of ${roles.join(', ')}, got ${quote(value ?? 'none')}`);
  return role ?? 'reader';
}

function readScopes(value: unknown, errors: string[]): Scope[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.maxScopes) {
    errors.push(`scopes must be a list of 1 to ${limits.maxScopes} scopes such as "subscriptions/acme/**"`);
    return [];
  }
  const scopes = new Map<string, Scope>();
  for (const text of value) {
    try {
      const scope = parseScope(typeof text === 'string' ? text : JSON.stringify(text));
      const isLong = scope.parts.some((part) => part.text.length > limits.maxAddressPartLength);
      if (isLong)
        errors.push(
          `the scope ${quote(text)} has a name of more than ${limits.maxAddressPartLength} characters`,
        );
      else scopes.set(scope.text, scope);
    } catch (error) {
      errors.push((error as Error).message);
    }
  }
  return [...scopes.values()];
}

function readLife(value: unknown, errors: string[]): number | null | undefined {
  if (value === undefined || value === null) return value;
  const lifeMs = typeof value === 'string' ? parseDuration(value) : undefined;
  if (lifeMs !== undefined && lifeMs > 0 && lifeMs <= limits.maxTokenLifeMs) return lifeMs;
  errors.push(
    `expires_in must be a duration such as "90d", "12h" or "30m", at most 3650 days, or null for no expiry, got ${quote(value)}`,
  );
  return undefined;
}
