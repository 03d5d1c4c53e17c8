import type { ListQuery } from '@roster/contract';
import { expect } from 'vitest';
import { renderRows } from '../../index/render/render-rows.ts';
import type { Snapshot } from '../../index/snapshot.ts';
import type { NaiveStation } from './naive-station.ts';

/** One page, as it would be sent. */
export function listIds(snapshot: Snapshot, query: ListQuery, offset: number, size: number) {
  const selection = snapshot.select(query);
  const slots = new Uint32Array(size);
  const count = selection.read(offset, size, slots);
  const json = renderRows(
    '[',
    { snapshot, slots, count, overrides: undefined },
    ']',
    Buffer.alloc,
  ).toString();
  const rows: { resource_id: string; display_name: string }[] = JSON.parse(json);
  return { total: selection.total, ids: rows.map((row) => row.resource_id) };
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
    const page = expected.slice(offset, offset + size).map((resource) => resource.resourceId);
    expect(listIds(snapshot, query, offset, size)).toEqual({ total: expected.length, ids: page });
  }
}
