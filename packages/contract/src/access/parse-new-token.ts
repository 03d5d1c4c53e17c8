import { readMembers, refuseFaults } from '../json-body.ts';
import { limits } from '../limits.ts';
import { quote } from '../quote.ts';
import { textFault } from '../record-fields.ts';
import { parseDuration } from './duration.ts';
import { type Role, roles } from './role.ts';
import { parseScope, type Scope } from './scope.ts';

/** A token that is asked for. */
export interface NewToken {
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Null for ever; undefined as the server has it. */
  readonly lifeMs: number | null | undefined;
}

const memberNames = ['name', 'role', 'scopes', 'expires_in'] as const;

/** From a body as it came out of JSON. Reports every fault at once. */
export function parseNewToken(input: unknown): NewToken {
  const faults: string[] = [];
  const members = readMembers(input, memberNames, faults);
  const token = {
    name: readName(members.name, faults),
    role: readRole(members.role, faults),
    scopes: readScopes(members.scopes, faults),
    lifeMs: readLife(members.expires_in, faults),
  };
  refuseFaults(faults);
  return token;
}

function readName(value: unknown, faults: string[]): string {
  const name = typeof value === 'string' ? value.trim() : '';
  const fault = name === '' ? 'must say what the token is for' : nameFault(name);
  if (fault !== undefined) faults.push(`name ${fault}`);
  return name;
}

function nameFault(name: string): string | undefined {
  if (/roster_[0-9A-Za-z]{20}/.test(name)) return 'must not hold a token';
  return textFault(name, limits.maxTokenNameLength);
}

function readRole(value: unknown, faults: string[]): Role {
  const role = roles.find((known) => known === value);
  if (role === undefined)
    faults.push(`role must be one of ${roles.join(', ')}, got ${quote(value ?? 'none')}`);
  return role ?? 'reader';
}

function readScopes(value: unknown, faults: string[]): Scope[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.maxScopes) {
    faults.push(`scopes must be a list of 1 to ${limits.maxScopes} scopes such as "subscriptions/acme/**"`);
    return [];
  }
  const scopes = new Map<string, Scope>();
  for (const text of value) {
    try {
      const scope = parseScope(typeof text === 'string' ? text : JSON.stringify(text));
      const isLong = scope.parts.some((part) => part.text.length > limits.maxAddressPartLength);
      if (isLong)
        faults.push(
          `the scope ${quote(text)} has a name of more than ${limits.maxAddressPartLength} characters`,
        );
      else scopes.set(scope.text, scope);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  return [...scopes.values()];
}

function readLife(value: unknown, faults: string[]): number | null | undefined {
  if (value === undefined || value === null) return value;
  const lifeMs = typeof value === 'string' ? parseDuration(value) : undefined;
  if (lifeMs !== undefined && lifeMs > 0 && lifeMs <= limits.maxTokenLifeMs) return lifeMs;
  faults.push(
    `expires_in must be a time such as "90d", "12h" or "30m", at most 3650 days, or null for a token that does not expire, got ${quote(value)}`,
  );
  return undefined;
}
