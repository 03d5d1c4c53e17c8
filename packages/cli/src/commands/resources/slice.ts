import type { Arguments } from '../../command/arguments.ts';

/** A contiguous range of a list, as `--offset` and `--limit` select it. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

/** Undefined when neither flag is set. */
export function readSlice(given: Arguments): Slice | undefined {
  if (!given.isSet('limit') && !given.isSet('offset')) return undefined;
  return { offset: given.count('offset') ?? 0, limit: given.count('limit') ?? Number.POSITIVE_INFINITY };
}

/** A view of the rows of a slice, which may have none although others match. */
export function viewOfSlice<View extends { readonly nothing: string }>(
  view: View,
  slice: Slice | undefined,
): View {
  if (slice === undefined || (slice.limit > 0 && slice.offset === 0)) return view;
  const nothing = slice.limit === 0 ? '--limit 0 shows none' : `none from --offset ${slice.offset} on`;
  return { ...view, nothing };
}

/** How many of so many a slice has. */
export function sliceTotal(total: number, slice: Slice | undefined): number {
  return slice === undefined ? total : Math.max(0, Math.min(slice.limit, total - slice.offset));
}

/** Only the slice, or every item when there is none. */
export function takeSlice<T>(
  items: Iterable<T> | AsyncIterable<T>,
  slice: Slice | undefined,
): Iterable<T> | AsyncIterable<T> {
  return slice === undefined ? items : sliceOf(items, slice);
}

async function* sliceOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  { offset, limit }: Slice,
): AsyncGenerator<T, void, undefined> {
  let at = 0;
  if (limit === 0) return;
  for await (const item of items) {
    if (at++ < offset) continue;
    yield item;
    if (at >= offset + limit) return;
  }
}
