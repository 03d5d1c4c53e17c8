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

/** The part alone, or without one everything as it comes. */
export function takePart<T>(
  items: Iterable<T> | AsyncIterable<T>,
  part: Part | undefined,
): Iterable<T> | AsyncIterable<T> {
  return part === undefined ? items : sliceOf(items, part);
}

async function* sliceOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { offset, limit }: Part,
): AsyncGenerator<T, void, undefined> {
  let at = 0;
  if (limit === 0) return;
  for await (const item of items) {
    if (at++ < offset) continue;
    yield item;
    if (at >= offset + limit) return;
  }
}
