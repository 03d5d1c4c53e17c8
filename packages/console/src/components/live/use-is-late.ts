import { useEffect, useState } from 'react';

/** Whether longer than this has passed since a time. */
export function useIsLate(sinceMs: number | undefined, limitMs: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (sinceMs === undefined) return;
    const timer = setTimeout(() => setLate(true), sinceMs + limitMs - Date.now());
    return () => clearTimeout(timer);
  }, [sinceMs, limitMs]);
  return isLate;
}
