import { randomBytes } from 'node:crypto';
import type { Role, Scope } from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import { hashToken } from './token-text.ts';

export interface TokenTraits {
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  /** The token that creates it. */
  readonly makerId?: string | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
}

/** A new token with this text, as it is stored. */
export function makeToken(text: string, { scopes, ...traits }: TokenTraits): StoredToken {
  return {
    makerId: undefined,
    ...traits,
    id: `tok_${randomDigits(12)}`,
    hash: hashToken(text),
    scopes: scopes.map((scope) => scope.text),
    lastUsedAtMs: undefined,
  };
}

/** 32 digits that do not look alike. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

function randomDigits(count: number): string {
  return Array.from(randomBytes(count), (byte) => digits[byte % digits.length]).join('');
}
