import type { VersionCondition } from '@roster/contract';
import { requireRoomForView, requireViewCondition, type StoredView, tokenOfOwner } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { ownerGone } from '../../shared/store-errors.ts';
import {
  countViewsSql,
  inOrder,
  putViewSql,
  toViews,
  type ViewRow,
  viewColumns,
  viewValues,
} from '../../shared/views.ts';
import { isStorable } from './find-station.ts';

/** All views without owners. */
export async function listViews(
  client: ClientBase,
  owners: readonly string[] | undefined,
): Promise<StoredView[]> {
  const sql = `SELECT ${viewColumns} FROM views WHERE $1::text[] IS NULL OR owner = ANY ($1)`;
  const { rows } = await client.query<ViewRow>(sql, [owners?.filter(isStorable)]);
  return inOrder(toViews(rows));
}

export async function findView(
  client: ClientBase,
  owner: string,
  name: string,
): Promise<StoredView | undefined> {
  if (!isStorable(owner) || !isStorable(name)) return undefined;
  const sql = `SELECT ${viewColumns} FROM views WHERE owner = $1 AND name = $2`;
  return toViews((await client.query<ViewRow>(sql, [owner, name])).rows)[0];
}

/** Returns whether the view is new. Runs in the caller's transaction, like every function here that writes. */
export async function putView(
  client: ClientBase,
  view: StoredView,
  condition: VersionCondition | undefined,
): Promise<boolean> {
  const { owner, name } = view;
  const token = tokenOfOwner(owner);
  if (token !== undefined) await requireToken(client, token);
  await lockViews(client);
  const known = await findView(client, owner, name);
  requireViewCondition(name, known, condition);
  if (known === undefined) {
    const { rows } = await client.query<{ owned: number; total: number }>(countViewsSql('$1'), [owner]);
    requireRoomForView(rows[0]!);
  }
  await client.query(putViewSql('$1, $2, $3, $4, $5, $6'), viewValues(view));
  return known === undefined;
}

/** Returns whether there was such a view. */
export async function removeView(
  client: ClientBase,
  { owner, name }: Pick<StoredView, 'owner' | 'name'>,
  condition: VersionCondition | undefined,
): Promise<boolean> {
  await lockViews(client);
  requireViewCondition(name, await findView(client, owner, name), condition);
  if (!isStorable(owner) || !isStorable(name)) return false;
  const { rowCount } = await client.query('DELETE FROM views WHERE owner = $1 AND name = $2', [owner, name]);
  return rowCount !== 0;
}

/** One write at a time: the limits count all views. */
async function lockViews(client: ClientBase): Promise<void> {
  await client.query('LOCK TABLE views IN SHARE ROW EXCLUSIVE MODE');
}

/** Locks first, then reads what a removal has left. Removals lock tokens before views too. */
async function requireToken(client: ClientBase, id: string): Promise<void> {
  await client.query('LOCK TABLE tokens IN ROW EXCLUSIVE MODE');
  const { rowCount } = await client.query('SELECT 1 FROM tokens WHERE id = $1', [id]);
  if (rowCount === 0) throw ownerGone();
}
