import { quote, RosterError } from '@roster/contract';

/** What a listing says of itself: which part of the whole list it is. */
export interface ListingPage {
  readonly offset: number;
  readonly total: number;
}

const counts = ['offset', 'size', 'total'];

/** Checks the `page` of a listing. A listing without one holds everything. */
export function parseListingPage(value: unknown): ListingPage | undefined {
  if (value === null || value === undefined) return undefined;
  const page = value as Record<string, unknown>;
  const isPage =
    typeof value === 'object' &&
    Object.keys(value).every((name) => counts.includes(name)) &&
    counts.every((name) => Number.isSafeInteger(page[name]) && (page[name] as number) >= 0);
  if (isPage) return { offset: page.offset as number, total: page.total as number };
  const shape = 'null or an object with offset, size and total, which are whole numbers';
  throw new RosterError('invalid_body', `page must be ${shape}, got ${quote(value)}`);
}

/** A replace removes what the body does not name, so a part of a list would remove all the rest. */
export function requireWholeListing(page: ListingPage | undefined, resources: number): void {
  if (page === undefined || (page.offset === 0 && page.total <= resources)) return;
  throw new RosterError(
    'invalid_body',
    `the body is one page of a listing (${resources} of ${page.total} resources); a replace needs all of them`,
  );
}
