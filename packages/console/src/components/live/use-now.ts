import { use, useSyncExternalStore } from 'react';
import { useConnection } from '../../api/connection.ts';
import { HeldAtMs } from './as-of.tsx';

const stepMs = 30_000;
let now = Date.now();

/** One time for the whole page, so that rows agree with each other. It stands still while what is shown does. */
export function useNow(): number {
  const heldAtMs = use(HeldAtMs);
  const { lostAtMs } = useConnection();
  const current = useSyncExternalStore(tick, () => now);
  return Math.min(current, heldAtMs ?? current, lostAtMs ?? current);
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
