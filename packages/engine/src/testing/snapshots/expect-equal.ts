import type { ListQuery } from '@roster/contract';
import { expect } from 'vitest';
import { renderRows } from '../../index/render/render-rows.ts';
import type { Snapshot } from '../../index/snapshot.ts';
import type { NaiveStation } from './naive-station.ts';

/** What identifies a version of a resource. */
interface ListedRow {
  readonly resource_id: string;
  readonly display_name: string;
  readonly state: string;
  readonly alert_rules_count: number;
}

/** The ids of one page. */
export function listIds(snapshot: Snapshot, query: ListQuery, offset: number, size: number) {
  const { total, rows } = listRows(snapshot, query, offset, size);
  return { total, ids: rows.map((row) => row.resource_id) };
}

/** One page, as it would be sent. */
function listRows(snapshot: Snapshot, query: ListQuery, offset: number, size: number) {
  const selection = snapshot.select(query);
  const slots = new Uint32Array(size);
  const count = selection.read(offset, size, slots);
  const json = renderRows(
    '[',
    { snapshot, slots, count, overrides: undefined },
    ']',
    Buffer.alloc,
  ).toString();
  return { total: selection.total, rows: JSON.parse(json) as ListedRow[] };
}

/** That some pages of a query are what the model says. */
export function expectEqual(snapshot: Snapshot, model: NaiveStation, query: ListQuery): void {
  const expected = model.list(query);
  for (const [offset, size] of [
    [0, 20],
    [Math.floor(expected.length / 2), 7],
    [Math.max(0, expected.length - 3), 10],
    [expected.length + 5, 5],
  ] as const) {
    const page = expected
      .slice(offset, offset + size)
      .map((each) => [each.resourceId, each.displayName, each.state, each.alertRulesCount]);
    const { total, rows } = listRows(snapshot, query, offset, size);
    const listed = rows.map((row) => [row.resource_id, row.display_name, row.state, row.alert_rules_count]);
    expect({ total, listed }).toEqual({ total: expected.length, listed: page });
  }
}
