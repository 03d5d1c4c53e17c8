import type { RequestListener } from 'node:http';

/**
 * Keeps the first request and its response alive. V8 watches how large the first seven objects of a kind become; if a
 * garbage collection takes the first ones before, it sizes them too small, and every later request takes half as long
 * again.
 */
export function createFirstRequestKeeper(): RequestListener {
  const kept: object[] = [];
  return (request, response) => {
    if (kept.length === 0) kept.push(request, response);
  };
}
