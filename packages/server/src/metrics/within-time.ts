import { setTimeout as sleep } from 'node:timers/promises';

/** A scrape has ten seconds unless Prometheus is told otherwise; what it shows of the store must not take them. */
const storeTimeoutMs = 3_000;

/** Rejects when the store has not answered in time. */
export async function withinTime<T>(answer: T | Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const late = sleep(storeTimeoutMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`the store did not answer within ${storeTimeoutMs} ms`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    late.catch(() => undefined);
    waiting.abort();
  }
}
