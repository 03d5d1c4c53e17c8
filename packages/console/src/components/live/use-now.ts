import { useSyncExternalStore } from 'react';

const stepMs = 30_000;
let now = Date.now();

/** One time for the whole page, so that rows agree with each other. */
export function useNow(): number {
  return useSyncExternalStore(tick, () => now);
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const each of listeners) each();
    }, stepMs);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}
