import { HttpError, RosterClientError } from '../errors.ts';

const firstDelayMs = 200;
const maxDelayMs = 5000;

/** Exponential backoff; half of it is random, to spread the clients. */
export function backoffMs(failedAttempts: number, random: () => number = Math.random): number {
  const fullMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (failedAttempts - 1));
  return Math.round(fullMs * (0.5 + random() / 2));
}

/** Milliseconds of a `Retry-After` header from `nowMs`; undefined if it is missing or invalid. */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*[0-9]{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Errors that do not go away by themselves. */
const untilMended: ReadonlySet<string> = new Set(['data_damaged', 'database_replaced']);

/** Whether repeating the request may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpError) {
    return error.status === 429 || (error.status === 503 && !untilMended.has(error.code));
  }
  return error instanceof RosterClientError && error.code === 'network_failure';
}

/** The delay before the next attempt; undefined if the server asks for more than `maxRetryAfterMs`. */
export function retryDelayMs(
  error: unknown,
  failedAttempts: number,
  maxRetryAfterMs: number,
): number | undefined {
  const askedMs = error instanceof HttpError ? (error.retryAfterMs ?? 0) : 0;
  return askedMs > maxRetryAfterMs ? undefined : Math.max(askedMs, backoffMs(failedAttempts));
}

/** Resolves after `delayMs`, or when the signal is aborted. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, delayMs);
    signal?.addEventListener('abort', wake);
  });
}
