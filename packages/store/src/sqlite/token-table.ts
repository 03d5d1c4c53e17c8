import type { DatabaseSync } from 'node:sqlite';
import type { Role } from '@roster/contract';
import type { StoredToken } from '@roster/engine';
import { tokenExists } from '../shared/store-errors.ts';
import { runTransaction } from './run-transaction.ts';

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly role: Role;
  readonly scopes: string;
  readonly created_ms: number;
  readonly created_by: string;
  readonly expires_ms: number | null;
  readonly last_used_ms: number | null;
}

const columns = 'id, name, hash, role, scopes, created_ms, created_by, expires_ms, last_used_ms';

export function listTokens(db: DatabaseSync): StoredToken[] {
  const rows = db.prepare(`SELECT ${columns} FROM tokens ORDER BY created_ms, id`).all();
  return (rows as unknown as TokenRow[]).map(toToken);
}

export function addToken(db: DatabaseSync, token: StoredToken): void {
  runTransaction(db, () => {
    markFirst(db, token);
    insertToken(db, token);
  });
}

/** Whether it is the first one ever, and therefore was added. */
export function addFirstToken(db: DatabaseSync, token: StoredToken): boolean {
  return runTransaction(db, () => {
    const isFirst = markFirst(db, token);
    if (isFirst) insertToken(db, token);
    return isFirst;
  });
}

/** Whether there was such a token. */
export function removeToken(db: DatabaseSync, id: string): boolean {
  return db.prepare('DELETE FROM tokens WHERE id = ?').run(id).changes > 0;
}

export function recordTokenUses(db: DatabaseSync, lastUsedAtMs: ReadonlyMap<string, number>): void {
  runTransaction(db, () => {
    const record = db.prepare(
      `UPDATE tokens SET last_used_ms = $usedMs
       WHERE id = $id AND (last_used_ms IS NULL OR last_used_ms < $usedMs)`,
    );
    for (const [id, usedMs] of lastUsedAtMs) record.run({ id, usedMs });
  });
}

/** The mark outlives the token, so that no second first one is made after all were removed. */
function markFirst(db: DatabaseSync, { id }: StoredToken): boolean {
  const mark = db.prepare("INSERT INTO meta VALUES ('first_token', ?) ON CONFLICT DO NOTHING");
  return mark.run(id).changes > 0;
}

function insertToken(db: DatabaseSync, token: StoredToken): void {
  const insert = db.prepare(
    `INSERT INTO tokens (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const { changes } = insert.run(
    token.id,
    token.name,
    token.hash,
    token.role,
    JSON.stringify(token.scopes),
    token.createdAtMs,
    token.createdBy,
    token.expiresAtMs ?? null,
    token.lastUsedAtMs ?? null,
  );
  if (changes === 0) throw tokenExists(token.id);
}

function toToken(row: TokenRow): StoredToken {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    role: row.role,
    scopes: JSON.parse(row.scopes),
    createdAtMs: row.created_ms,
    createdBy: row.created_by,
    expiresAtMs: row.expires_ms ?? undefined,
    lastUsedAtMs: row.last_used_ms ?? undefined,
  };
}
