import type { RecordView } from '@roster/client';
import { useEffect, useRef } from 'react';
import { useMarks } from '../list/live/use-marks.ts';
import { type Turn, turnBetween } from '../list/live/view-changes.ts';
import type { List } from '../list/table/use-list.ts';

const none: ReadonlyMap<string, Turn> = new Map();

/** The first rows that are new, or in another state than when they were last read. */
export function useTurnedRows({ firstPage, key }: List): ReadonlyMap<string, Turn> {
  const [turned, mark] = useMarks();
  const list = JSON.stringify(key.slice(0, -1));
  const before = useRef<{ readonly list: string; readonly rows: readonly RecordView[] }>(undefined);
  useEffect(() => {
    if (firstPage === undefined) return;
    const found = before.current?.list === list ? compare(before.current.rows, firstPage) : none;
    before.current = { list, rows: firstPage };
    if (found.size > 0) mark(found);
  }, [firstPage, list, mark]);
  return turned;
}

function compare(before: readonly RecordView[], after: readonly RecordView[]): ReadonlyMap<string, Turn> {
  const states = new Map(before.map(({ resource_id, state }) => [resource_id, state]));
  const turned = after.flatMap(({ resource_id: id, state }): [string, Turn][] => {
    const earlier = states.get(id);
    return earlier === state ? [] : [[id, turnBetween(earlier, state)]];
  });
  return new Map(turned);
}
