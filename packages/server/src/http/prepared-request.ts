import {
  type ListQuery,
  type ParseListQueryOptions,
  parseListQuery,
  type StationAddress,
} from '@roster/contract';
import { StationPaths } from './station-paths.ts';

/** What a list URL asks for and, where it was asked before, the last page it was answered with. */
export class PreparedRequest {
  readonly url: string;
  readonly address: StationAddress;
  readonly isRemembered: boolean;
  /** What the page was rendered from; naming it does not keep the snapshot alive. */
  etag: string | undefined;
  page: Buffer | undefined;
  readonly #options: ParseListQueryOptions;
  #query: ListQuery | undefined;

  constructor({ url, address, isRemembered }: RequestedList, options: ParseListQueryOptions) {
    this.url = url;
    this.address = address;
    this.isRemembered = isRemembered;
    this.#options = options;
  }

  /** Parsed when it is first asked for, which is after the caller was let in. Throws when a parameter is wrong. */
  get query(): ListQuery {
    this.#query ??= parseListQuery(searchOf(this.url), this.#options);
    return this.#query;
  }
}

type RequestedList = Pick<PreparedRequest, 'url' | 'address' | 'isRemembered'>;

function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

const placeCount = 1024;
const maxKeptPageBytes = 32 * 1024;

/**
 * Remembers the list URLs that come again. Consoles and pollers send the same few all day; for those there
 * is nothing to parse, and nothing to render while the station does not change. A URL has one place, of
 * which at first only its hash is noted, so that URLs that do not come again cost nothing. Keeps at most
 * 32 MiB of pages.
 */
export class PreparedRequests {
  readonly #options: ParseListQueryOptions;
  readonly #paths = new StationPaths();
  readonly #hashes = new Int32Array(placeCount);
  readonly #remembered = new Array<PreparedRequest | undefined>(placeCount).fill(undefined);

  constructor(options: ParseListQueryOptions) {
    this.#options = options;
  }

  /** Undefined when the URL is not one of the list operation. Throws when its path cannot be read. */
  prepare(url: string): PreparedRequest | undefined {
    const mark = url.indexOf('?');
    const pathLength = mark === -1 ? url.length : mark;
    const path = this.#paths.find(url, pathLength);
    if (path === undefined) return undefined;
    const { address } = path;
    const hash = hashOf(path.number, url, pathLength);
    const place = (hash ^ (hash >>> 15)) & (placeCount - 1);
    if (this.#hashes[place] !== hash) {
      this.#hashes[place] = hash;
      return new PreparedRequest({ url, address, isRemembered: false }, this.#options);
    }
    const known = this.#remembered[place];
    if (known !== undefined && known.url === url) return known;
    const prepared = new PreparedRequest({ url, address, isRemembered: true }, this.#options);
    this.#remembered[place] = prepared;
    return prepared;
  }
}

/** Keeps a copy of the page for the next time, if there is likely to be one. */
export function keepPage(prepared: PreparedRequest, etag: string, body: Buffer): void {
  if (!prepared.isRemembered || body.length > maxKeptPageBytes) return;
  prepared.page = Buffer.from(body);
  prepared.etag = etag;
}

const hashedCharacters = 128;

/** Over as much of a URL as tells queries apart, and no more: it is made for every request. */
function hashOf(pathNumber: number, url: string, pathLength: number): number {
  let hash = Math.imul(pathNumber, 0x9e3779b1) ^ url.length;
  for (let at = Math.max(pathLength, url.length - hashedCharacters); at < url.length; at++) {
    hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  }
  return hash;
}
