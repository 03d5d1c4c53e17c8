import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { recallPlace } from '../../../navigation/list-place.ts';
import { type List, pageSize } from './use-list.ts';

const rowsPerLook = 1_000;
/** Beyond this, finding the row would cost more than scrolling to it is worth. */
const mostLooks = 5;

/** Scrolls the table and the page to the open resource when the page is opened by its URL. */
export function useOpenRow(list: List, openId: string | undefined, reveal: (row: number) => void): void {
  const wanted = useRef(recallPlace().scrollTop > 0 ? undefined : openId);
  const { total, firstPage = [], readRows, key } = list;
  const onFirstPage = firstPage.findIndex((each) => each.resource_id === wanted.current);
  const { data: found = -1 } = useQuery({
    queryKey: [...key, 'row of', openId],
    queryFn: async ({ signal }) => {
      for (let look = 0; look < mostLooks && look * rowsPerLook < total!; look++) {
        const rows = await readRows(look * rowsPerLook, rowsPerLook, signal);
        const at = rows.findIndex((each) => each.resource_id === openId);
        if (at >= 0) return look * rowsPerLook + at;
      }
      return -1;
    },
    enabled: wanted.current !== undefined && total !== undefined && total > pageSize && onFirstPage < 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const row = onFirstPage >= 0 ? onFirstPage : found;
  const act = useRef(reveal);
  act.current = reveal;
  useEffect(() => {
    if (wanted.current === undefined || row < 0) return;
    wanted.current = undefined;
    act.current(row);
  }, [row]);
}
