import {
  type ListQuery,
  type ParseListQueryOptions,
  parseListQuery,
  type StationAddress,
} from '@roster/contract';
import { StationPaths } from './station-paths.ts';

/** What a list URL asks for, and the last page it was answered with. */
export interface PreparedRequest {
  readonly url: string;
  readonly address: StationAddress;
  readonly query: ListQuery;
  /** What the page was rendered from; naming it does not keep the snapshot alive. */
  etag: string | undefined;
  page: Buffer | undefined;
}

const placeCount = 1024;
const maxKeptPageBytes = 32 * 1024;

/**
 * Remembers the list URLs asked last. Consoles and pollers send the same few all day; for those there is
 * nothing to parse, and nothing to render while the station does not change. A URL has one place, which
 * the next URL with the same place takes over: forgetting costs nothing. Takes at most 32 MiB.
 */
export class PreparedRequests {
  readonly #options: ParseListQueryOptions;
  readonly #paths = new StationPaths();
  readonly #places = new Array<PreparedRequest | undefined>(placeCount).fill(undefined);

  constructor(options: ParseListQueryOptions) {
    this.#options = options;
  }

  /** Undefined when the URL is not one of the list operation. Throws when its parameters are wrong. */
  prepare(url: string): PreparedRequest | undefined {
    const place = placeOf(url);
    const known = this.#places[place];
    if (known !== undefined && known.url === url) return known;
    const queryAt = url.indexOf('?');
    const address = this.#paths.addressOf(url, queryAt === -1 ? url.length : queryAt);
    if (address === undefined) return undefined;
    const query = parseListQuery(queryAt === -1 ? '' : url.slice(queryAt + 1), this.#options);
    const prepared = { url, address, query, etag: undefined, page: undefined };
    this.#places[place] = prepared;
    return prepared;
  }
}

/** Keeps a page that was rendered for the second time from the same snapshot: one asked once may never be again. */
export function keepPage(prepared: PreparedRequest, etag: string, body: Buffer): void {
  const isRepeated = prepared.etag === etag && body.length <= maxKeptPageBytes;
  prepared.page = isRepeated ? Buffer.from(body) : undefined;
  prepared.etag = etag;
}

/** From the length and the last characters, which is where list URLs differ. */
function placeOf(url: string): number {
  let hash = url.length;
  for (let at = Math.max(0, url.length - 24); at < url.length; at++) {
    hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (placeCount - 1);
}
