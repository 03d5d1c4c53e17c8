import { type StoredToken, tokenOwner } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { makerGone, tokenExists } from '../../shared/store-errors.ts';
import {
  deleteTreeSql,
  insertTokenSql,
  passToMakerSql,
  selectTokensSql,
  type TokenRow,
  tokenValues,
  toToken,
} from '../../shared/tokens.ts';
import { isStorable } from './find-station.ts';

export async function listTokens(client: ClientBase): Promise<StoredToken[]> {
  const { rows } = await client.query<TokenRow<string[]>>(selectTokensSql);
  return rows.map((row) => toToken(row, (scopes) => scopes));
}

/** Runs in the caller's transaction, like every function here that writes. */
export async function addToken(client: ClientBase, token: StoredToken): Promise<true> {
  await markFirst(client, token);
  return insertToken(client, token);
}

/** Undefined when the token is not the first ever, and was therefore not added. */
export async function addFirstToken(client: ClientBase, token: StoredToken): Promise<true | undefined> {
  if (await markFirst(client, token)) return insertToken(client, token);
  return undefined;
}

/** Returns the removed ids. Their views go too. The lock waits for tokens being added and blocks others until the commit. */
export async function removeToken(client: ClientBase, id: string, cascade: boolean): Promise<string[]> {
  if (!isStorable(id)) return [];
  await client.query('LOCK TABLE tokens IN SHARE ROW EXCLUSIVE MODE');
  if (!cascade) await client.query(passToMakerSql('$1'), [id]);
  const { rows } = await client.query<{ id: string }>(deleteTreeSql('$1'), [id]);
  const removed = rows.map((row) => row.id);
  await client.query('DELETE FROM views WHERE owner = ANY ($1)', [removed.map(tokenOwner)]);
  return removed;
}

/** Locks the tokens in id order, which avoids deadlocks between nodes. */
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

/** Waits for any node that is adding a token. The mark outlives it: there is never a second first token. */
async function markFirst(client: ClientBase, { id }: StoredToken): Promise<boolean> {
  const { rowCount } = await client.query(
    "INSERT INTO meta VALUES ('first_token', $1) ON CONFLICT DO NOTHING",
    [id],
  );
  return rowCount !== 0;
}

async function insertToken(client: ClientBase, token: StoredToken): Promise<true> {
  if (token.makerId !== undefined) await requireMaker(client, token.makerId);
  const sql = insertTokenSql('$1, $2, $3, $4, $5, $6, $7, $8, $9, $10');
  const { rowCount } = await client.query(
    sql,
    tokenValues(token, (scopes) => scopes),
  );
  if (rowCount === 0) throw tokenExists(token.id);
  return true;
}

/** Locks first, then reads what a removal has left. */
async function requireMaker(client: ClientBase, id: string): Promise<void> {
  await client.query('LOCK TABLE tokens IN ROW EXCLUSIVE MODE');
  const { rowCount } = await client.query('SELECT 1 FROM tokens WHERE id = $1', [id]);
  if (rowCount === 0) throw makerGone();
}
