import type { Role } from '@roster/contract';
import type { StoredToken } from '@roster/engine/port';

export interface TokenRow<Scopes> {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  readonly scopes: Scopes;
  readonly created_ms: number;
  readonly created_by: string;
  readonly maker_id: string | null;
  readonly expires_ms: number | null;
  readonly last_used_ms: number | null;
}

const columns = 'id, name, hash, role, scopes, created_ms, created_by, maker_id, expires_ms, last_used_ms';

export const selectTokensSql = `SELECT ${columns} FROM tokens ORDER BY created_ms, id`;

/** `parameters` stand for the values of `tokenValues`. */
export function insertTokenSql(parameters: string): string {
  return `INSERT INTO tokens (${columns}) VALUES (${parameters}) ON CONFLICT DO NOTHING`;
}

export function tokenValues<Scopes>(token: StoredToken, toScopes: (scopes: readonly string[]) => Scopes) {
  const { id, name, hash, role, scopes, createdAtMs, createdBy, makerId, expiresAtMs, lastUsedAtMs } = token;
  const optional = [makerId ?? null, expiresAtMs ?? null, lastUsedAtMs ?? null];
  return [id, name, hash, role, toScopes(scopes), createdAtMs, createdBy, ...optional];
}

export function toToken<Scopes>(row: TokenRow<Scopes>, toScopes: (scopes: Scopes) => string[]): StoredToken {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    role: row.role,
    scopes: toScopes(row.scopes),
    createdAtMs: row.created_ms,
    createdBy: row.created_by,
    makerId: row.maker_id ?? undefined,
    expiresAtMs: row.expires_ms ?? undefined,
    lastUsedAtMs: row.last_used_ms ?? undefined,
  };
}

/** Makes the maker of the token that `parameter` stands for the maker of all tokens it made. */
export function passToMakerSql(parameter: string): string {
  return `UPDATE tokens SET maker_id = (SELECT maker_id FROM tokens WHERE id = ${parameter}) WHERE maker_id = ${parameter}`;
}

/** Deletes the token that `parameter` stands for and all tokens made by it, directly or indirectly; returns their ids. */
export function deleteTreeSql(parameter: string): string {
  return `
    WITH RECURSIVE made (id) AS (
      SELECT id FROM tokens WHERE id = ${parameter}
      UNION
      SELECT t.id FROM tokens t JOIN made ON t.maker_id = made.id
    )
    DELETE FROM tokens WHERE id IN (SELECT id FROM made) RETURNING id`;
}
