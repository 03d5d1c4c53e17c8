import { useEffect, useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';

const queries = queryClient.getQueryCache();
const listeners = new Set<() => void>();
let missing = 0;

/** For what stands in place of a page. */
export function useMissing(): void {
  useEffect(() => {
    count(1);
    return () => count(-1);
  }, []);
}

function count(more: number): void {
  missing += more;
  for (const listener of listeners) listener();
}

/** Whether something that the page shows has never arrived. */
export function useIsMissingData(): boolean {
  return useSyncExternalStore(subscribe, isMissingData);
}

function subscribe(listener: () => void): () => void {
  const stop = queries.subscribe(listener);
  listeners.add(listener);
  return () => {
    stop();
    listeners.delete(listener);
  };
}

function isMissingData(): boolean {
  return (
    missing > 0 ||
    queries
      .findAll({ type: 'active' })
      .some(
        ({ state }) => state.data === undefined && (state.fetchStatus !== 'idle' || state.status === 'error'),
      )
  );
}
