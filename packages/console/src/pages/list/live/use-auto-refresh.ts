import { useEffect, useRef } from 'react';

/** Leaves the server and the page as much time as a refresh takes. */
const leastPauseMs = 250;

interface AutoRefreshOptions {
  /** Whether there is something to show, and the reader wants to see it. */
  readonly isWanted: boolean;
  readonly isRefreshing: boolean;
  readonly refresh: () => void;
}

/** Refreshes at once, and then no more often than the server can keep up with. */
export function useAutoRefresh({ isWanted, isRefreshing, refresh }: AutoRefreshOptions): void {
  const begun = useRef(0);
  const notBefore = useRef(0);
  useEffect(() => {
    if (isRefreshing) {
      begun.current = Date.now();
      return;
    }
    if (begun.current > 0) {
      notBefore.current = Date.now() + Math.max(leastPauseMs, Date.now() - begun.current);
      begun.current = 0;
    }
    if (!isWanted) return;
    const timer = setTimeout(refresh, Math.max(0, notBefore.current - Date.now()));
    return () => clearTimeout(timer);
  }, [isWanted, isRefreshing, refresh]);
}
