import { expect } from 'vitest';
import type { WriteOutcome } from './linear-history.ts';

/** What a client knows of its write. Every other answer than 200 and 503 throws. */
export async function writeOutcome(request: Promise<Response>): Promise<WriteOutcome> {
  let response: Response;
  let body: { revision: string; outcome?: string };
  try {
    response = await request;
    body = (await response.json()) as typeof body;
  } catch (error) {
    return wasNeverSent(error) ? 'refused' : 'uncertain';
  }
  if (response.status === 200) return { acknowledged: body.revision };
  expect(response.status, JSON.stringify(body)).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  return body.outcome === 'unknown' ? 'uncertain' : 'refused';
}

function wasNeverSent(error: unknown): boolean {
  const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
  return cause?.code === 'ECONNREFUSED';
}
