import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type StoredToken, tokenOwner } from '@roster/engine/port';
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
import { getRows, hasRow } from './rows.ts';
import { runTransaction } from './run-transaction.ts';

export function listTokens(db: DatabaseSync): StoredToken[] {
  return getRows<TokenRow<string>>(db, selectTokensSql).map((row) => toToken(row, parseScopes));
}

export function addToken(db: DatabaseSync, token: StoredToken): void {
  runTransaction(db, () => {
    markFirst(db, token);
    insertToken(db, token);
  });
}

/** Returns whether the token is the first ever, and was therefore added. */
export function addFirstToken(db: DatabaseSync, token: StoredToken): boolean {
  return runTransaction(db, () => {
    const isFirst = markFirst(db, token);
    if (isFirst) insertToken(db, token);
    return isFirst;
  });
}

/** Returns the removed ids. Their views go too. */
export function removeToken(db: DatabaseSync, id: string, cascade: boolean): string[] {
  return runTransaction(db, () => {
    if (!cascade) db.prepare(passToMakerSql('$id')).run({ id });
    const removed = getRows<{ id: string }>(db, deleteTreeSql('?'), id).map((row) => row.id);
    const removeViews = db.prepare('DELETE FROM views WHERE owner = ?');
    for (const each of removed) removeViews.run(tokenOwner(each));
    return removed;
  });
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

/** The mark outlives the token: removing all tokens does not allow a second first one. */
function markFirst(db: DatabaseSync, { id }: StoredToken): boolean {
  const mark = db.prepare("INSERT INTO meta VALUES ('first_token', ?) ON CONFLICT DO NOTHING");
  return mark.run(id).changes > 0;
}

function insertToken(db: DatabaseSync, token: StoredToken): void {
  const { makerId } = token;
  if (makerId !== undefined && !hasRow(db, 'SELECT 1 FROM tokens WHERE id = ?', makerId)) throw makerGone();
  const insert = db.prepare(insertTokenSql('?, ?, ?, ?, ?, ?, ?, ?, ?, ?'));
  const { changes } = insert.run(...(tokenValues(token, JSON.stringify) as SQLInputValue[]));
  if (changes === 0) throw tokenExists(token.id);
}

/** A token whose scopes cannot be read opens nothing. */
function parseScopes(text: string): string[] {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}
