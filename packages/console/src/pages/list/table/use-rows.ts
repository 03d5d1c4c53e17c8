import { isRevisionExpired } from '@roster/client';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Row } from './columns.tsx';
import { type List, pageSize } from './use-list.ts';

/** Pages that are only scrolled past are not loaded. */
const settleMs = 80;

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export interface Rows {
  readonly error: Error | null;
  /** Undefined while loading. */
  rowAt(index: number): Row | undefined;
}

/** The rows around the viewport, all from one snapshot. */
export function useRows(list: List, range: RowRange): Rows {
  const { total = 0, firstPage, key, readRows, moveOn } = list;
  const pages = usePageNumbers(range, total);
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRows(page * pageSize, pageSize, signal),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 60_000,
    })),
  });
  const error = answers.find((answer) => answer.error !== null)?.error ?? null;
  const isExpired = isRevisionExpired(error);
  useEffect(() => {
    if (isExpired) moveOn();
  }, [isExpired, moveOn]);
  return {
    error: isExpired ? null : error,
    rowAt(index) {
      const page = Math.floor(index / pageSize);
      const found = page === 0 ? firstPage : answers[pages.indexOf(page)]?.data;
      return found?.[index % pageSize];
    },
  };
}

/** The pages of a range, except the first page, once scrolling has stopped. */
function usePageNumbers({ first, last }: RowRange, total: number): readonly number[] {
  const from = Math.max(1, Math.floor(first / pageSize));
  const to = Math.floor(last / pageSize);
  const [settled, setSettled] = useState({ from: 1, to: 0 });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ from, to }), settleMs);
    return () => clearTimeout(timer);
  }, [from, to]);
  const end = Math.min(settled.to + 1, Math.ceil(total / pageSize));
  return Array.from({ length: Math.max(0, end - settled.from) }, (_, at) => settled.from + at);
}
