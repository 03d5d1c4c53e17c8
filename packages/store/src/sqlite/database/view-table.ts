import type { DatabaseSync } from 'node:sqlite';
import type { VersionCondition } from '@roster/contract';
import { requireRoomForView, requireViewCondition, type StoredView, tokenOfOwner } from '@roster/engine/port';
import { ownerGone } from '../../shared/store-errors.ts';
import {
  countViewsSql,
  putViewSql,
  toViews,
  type ViewRow,
  viewColumns,
  viewValues,
} from '../../shared/views.ts';
import { getRow, getRows, hasRow } from './rows.ts';
import { runTransaction } from './run-transaction.ts';

export function listViews(db: DatabaseSync): StoredView[] {
  return toViews(getRows<ViewRow>(db, `SELECT ${viewColumns} FROM views`));
}

/** Returns whether the view is new. */
export function putView(
  db: DatabaseSync,
  view: StoredView,
  condition: VersionCondition | undefined,
): boolean {
  return runTransaction(db, () => {
    const { owner, name } = view;
    const token = tokenOfOwner(owner);
    if (token !== undefined && !hasRow(db, 'SELECT 1 FROM tokens WHERE id = ?', token)) throw ownerGone();
    const known = findView(db, owner, name);
    requireViewCondition(name, known, condition);
    if (known === undefined) requireRoomForView(getRow(db, countViewsSql('?'), owner)!);
    db.prepare(putViewSql('?, ?, ?, ?, ?, ?')).run(...viewValues(view));
    return known === undefined;
  });
}

/** Returns whether there was such a view. */
export function removeView(
  db: DatabaseSync,
  { owner, name }: Pick<StoredView, 'owner' | 'name'>,
  condition: VersionCondition | undefined,
): boolean {
  return runTransaction(db, () => {
    requireViewCondition(name, findView(db, owner, name), condition);
    return db.prepare('DELETE FROM views WHERE owner = ? AND name = ?').run(owner, name).changes > 0;
  });
}

function findView(db: DatabaseSync, owner: string, name: string): StoredView | undefined {
  const sql = `SELECT ${viewColumns} FROM views WHERE owner = ? AND name = ?`;
  return toViews(getRows<ViewRow>(db, sql, owner, name))[0];
}
