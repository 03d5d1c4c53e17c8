import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const calmMs = 5_000;
const anxiousMs = 1_500;
const hiddenMs = 15_000;
const patienceMs = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;
let heardAtMs = Date.now();

/** Whether the server answers. */
export interface Connection {
  readonly isReachable: boolean;
  /** When the server was last heard from; undefined while it is reachable. */
  readonly lostAtMs: number | undefined;
}

let current: Connection = { isReachable: true, lostAtMs: undefined };

/**
 * Polls the server. While it is unreachable, queries wait instead of failing and the screen keeps its content; they
 * resume when it is back.
 */
export function watchConnection(): void {
  onlineManager.setEventListener(() => undefined);
  addEventListener('visibilitychange', checkConnection);
  addEventListener('online', checkConnection);
  addEventListener('offline', () => setReachable(false));
  void checkConnection();
}

/** Called for every sign of life. */
export function noteAnswer(): void {
  heardAtMs = Date.now();
}

/** Finds out whether the server answers, after a request failed to reach it or a stream broke off. */
export async function checkConnection(): Promise<boolean> {
  clearTimeout(timer);
  const isReachable = await probe();
  setReachable(isReachable);
  clearTimeout(timer);
  timer = setTimeout(checkConnection, pauseMs(isReachable));
  return isReachable;
}

function pauseMs(isReachable: boolean): number {
  if (document.visibilityState === 'hidden') return hiddenMs;
  return isReachable ? calmMs : anxiousMs;
}

function setReachable(isReachable: boolean): void {
  if (isReachable) noteAnswer();
  if (isReachable === current.isReachable) return;
  current = { isReachable, lostAtMs: isReachable ? undefined : heardAtMs };
  onlineManager.setOnline(isReachable);
}

async function probe(): Promise<boolean> {
  try {
    const answer = await fetch('/readyz', { signal: AbortSignal.timeout(patienceMs), cache: 'no-store' });
    return answer.ok;
  } catch {
    return false;
  }
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => current,
  );
}
