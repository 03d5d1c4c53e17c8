import type { Role } from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import type { ClientBase } from 'pg';
import { tokenExists } from '../shared/store-errors.ts';
import { isStorable } from './station-address-key.ts';

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  readonly scopes: string[];
  readonly created_ms: number;
  readonly created_by: string;
  readonly expires_ms: number | null;
  readonly last_used_ms: number | null;
}

const columns = 'id, name, hash, role, scopes, created_ms, created_by, expires_ms, last_used_ms';

export async function listTokens(client: ClientBase): Promise<StoredToken[]> {
  const { rows } = await client.query<TokenRow>(`SELECT ${columns} FROM tokens ORDER BY created_ms, id`);
  return rows.map(toToken);
}

/** Runs inside the caller's transaction, as all functions that write here do. */
export async function addToken(client: ClientBase, token: StoredToken): Promise<true> {
  await markFirst(client, token);
  return insertToken(client, token);
}

/** Undefined when it is not the first one ever, and therefore was not added. */
export async function addFirstToken(client: ClientBase, token: StoredToken): Promise<true | undefined> {
  if (await markFirst(client, token)) return insertToken(client, token);
  return undefined;
}

/** Whether there was such a token. */
export async function removeToken(client: ClientBase, id: string): Promise<boolean> {
  if (!isStorable(id)) return false;
  const { rowCount } = await client.query('DELETE FROM tokens WHERE id = $1', [id]);
  return rowCount !== 0;
}

/** Locks the tokens in the order of ids, so that two nodes never wait for each other. */
export async function recordTokenUses(
  client: ClientBase,
  lastUsedAtMs: ReadonlyMap<string, number>,
): Promise<true> {
  const uses = [...lastUsedAtMs].filter(([id]) => isStorable(id));
  await client.query(
    `WITH used AS (
       SELECT id, used_ms FROM tokens JOIN unnest($1::text[], $2::bigint[]) AS u (id, used_ms) USING (id)
       WHERE last_used_ms IS NULL OR last_used_ms < used_ms
       ORDER BY id FOR UPDATE OF tokens
     )
     UPDATE tokens SET last_used_ms = greatest(last_used_ms, used_ms) FROM used WHERE tokens.id = used.id`,
    [uses.map(([id]) => id), uses.map(([, usedMs]) => usedMs)],
  );
  return true;
}

/**
 * Whether there was none before, waiting for any node that is about to add one. The mark outlives the token, so
 * that no second first one is made after all were removed.
 */
async function markFirst(client: ClientBase, { id }: StoredToken): Promise<boolean> {
  const { rowCount } = await client.query(
    "INSERT INTO meta VALUES ('first_token', $1) ON CONFLICT DO NOTHING",
    [id],
  );
  return rowCount !== 0;
}

async function insertToken(client: ClientBase, token: StoredToken): Promise<true> {
  const { rowCount } = await client.query(
    `INSERT INTO tokens (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    [
      token.id,
      token.name,
      token.hash,
      token.role,
      token.scopes,
      token.createdAtMs,
      token.createdBy,
      token.expiresAtMs ?? null,
      token.lastUsedAtMs ?? null,
    ],
  );
  if (rowCount === 0) throw tokenExists(token.id);
  return true;
}

function toToken(row: TokenRow): StoredToken {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    role: row.role,
    scopes: row.scopes,
    createdAtMs: row.created_ms,
    createdBy: row.created_by,
    expiresAtMs: row.expires_ms ?? undefined,
    lastUsedAtMs: row.last_used_ms ?? undefined,
  };
}
