import { type ListQuery, parseListQuery, type StationAddress } from '@roster/contract';
import { parseStationPath } from './parse-station-path.ts';

/** What a list URL asks for, and the last page it was answered with. */
export interface PreparedRequest {
  readonly address: StationAddress;
  readonly query: ListQuery;
  /** What the page was rendered from; naming it does not keep the snapshot alive. */
  etag: string | undefined;
  page: Buffer | undefined;
}

const maxEntries = 1000;
const maxKeptPageBytes = 32 * 1024;

/**
 * Remembers the list URLs asked last. Consoles and pollers send the same few all day; for those there is
 * nothing to parse, and nothing to render while the station does not change. Takes at most 32 MiB.
 */
export class PreparedRequests {
  readonly #strict: boolean;
  readonly #byUrl = new Map<string, PreparedRequest>();

  constructor(options: { readonly strict: boolean }) {
    this.#strict = options.strict;
  }

  /** Undefined when the URL is not one of the list operation. Throws when its parameters are wrong. */
  prepare(url: string): PreparedRequest | undefined {
    const known = this.#byUrl.get(url);
    if (known !== undefined) return known;
    const queryAt = url.indexOf('?');
    const address = parseStationPath(queryAt === -1 ? url : url.slice(0, queryAt));
    if (address === undefined) return undefined;
    const query = parseListQuery(queryAt === -1 ? '' : url.slice(queryAt + 1), { strict: this.#strict });
    const prepared = { address, query, etag: undefined, page: undefined };
    this.#remember(url, prepared);
    return prepared;
  }

  #remember(url: string, prepared: PreparedRequest): void {
    if (this.#byUrl.size >= maxEntries) this.#byUrl.delete(this.#byUrl.keys().next().value!);
    this.#byUrl.set(url, prepared);
  }
}

/** Keeps a page that was rendered for the second time from the same snapshot: one asked once may never be again. */
export function keepPage(prepared: PreparedRequest, etag: string, body: string): void {
  const isRepeated = prepared.etag === etag && body.length <= maxKeptPageBytes;
  prepared.page = isRepeated ? Buffer.from(body, 'latin1') : undefined;
  prepared.etag = etag;
}
