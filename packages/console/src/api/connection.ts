import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const calmMs = 5_000;
const anxiousMs = 1_500;
const patienceMs = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Polls the server. While it is unreachable, queries wait instead of failing and the screen keeps its content; they
 * resume when it is back.
 */
export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined);
  addEventListener('visibilitychange', checkConnection);
  checkConnection();
}

/** Called after a request failed to reach the server. */
export function checkConnection(): void {
  clearTimeout(timer);
  if (document.visibilityState === 'hidden') return;
  void probe().then((isReachable) => {
    onlineManager.setOnline(isReachable);
    clearTimeout(timer);
    timer = setTimeout(checkConnection, isReachable ? calmMs : anxiousMs);
  });
}

async function probe(): Promise<boolean> {
  try {
    const answer = await fetch('/readyz', { signal: AbortSignal.timeout(patienceMs), cache: 'no-store' });
    return answer.ok;
  } catch {
    return false;
  }
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
}
