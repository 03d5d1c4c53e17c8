import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the client has read everything or has left. False if neither happens within `timeoutMs`. */
export async function drained(response: ServerResponse, timeoutMs?: number): Promise<boolean> {
  const settled = new AbortController();
  const { signal } = settled;
  const outcomes = [once(response, 'drain', { signal }), once(response, 'close', { signal })];
  const late = timeoutMs === undefined ? [] : [sleep(timeoutMs, 'late' as const, { signal })];
  try {
    return (await Promise.race([...outcomes, ...late])) !== 'late';
  } finally {
    settled.abort();
  }
}
