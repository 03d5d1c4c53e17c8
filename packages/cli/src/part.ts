import type { Arguments } from './arguments.ts';

/** A part of a list, in its order. */
export interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** What `--offset` and `--limit` ask for; undefined when that is everything. */
export function readPart(given: Arguments): Part | undefined {
  if (!given.isSet('limit') && !given.isSet('offset')) return undefined;
  return { offset: given.count('offset') ?? 0, limit: given.count('limit') ?? Number.POSITIVE_INFINITY };
}

export async function* takePart<T>(
  items: Iterable<T> | AsyncIterable<T>,
  part: Part = { offset: 0, limit: Number.POSITIVE_INFINITY },
): AsyncGenerator<T> {
  let at = 0;
  if (part.limit === 0) return;
  for await (const item of items) {
    if (at++ < part.offset) continue;
    yield item;
    if (at >= part.offset + part.limit) return;
  }
}
