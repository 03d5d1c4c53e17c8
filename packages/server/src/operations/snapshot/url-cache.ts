import type { Exchange } from '../../http/exchange.ts';

/** What a URL asks for and, if it comes again, the last page it was answered with. */
export interface RememberedUrl<Query> {
  readonly query: Query;
  readonly isRemembered: boolean;
  /** The snapshot and language it was last answered from. A reference would keep the snapshot alive. */
  etag: string | undefined;
  page: Buffer | undefined;
  /** Header lines that the page has besides those of all pages. */
  lines: string;
}

const maxUrls = 1024;
const maxPageBytes = 32 * 1024;

/**
 * Remembers URLs that come again: consoles and pollers send the same few all day. They are not parsed again, and
 * not rendered again until the station changes. Keeps at most 32 MiB of pages.
 */
export class UrlCache<Query> {
  readonly #parse: (search: string) => Query;
  readonly #seenOnce = new Set<string>();
  readonly #remembered = new Map<string, RememberedUrl<Query>>();

  constructor(parse: (search: string) => Query) {
    this.#parse = parse;
  }

  /** Throws if a parameter is wrong. */
  find(exchange: Exchange): RememberedUrl<Query> {
    const url = exchange.request.url!;
    return this.#remembered.get(url) ?? this.#read(url, exchange.search);
  }

  /** For a search that does not stand in the URL. `key` stands for it and its station, and must not be a URL. */
  findSearch(key: string, search: string): RememberedUrl<Query> {
    return this.#remembered.get(key) ?? this.#read(key, search);
  }

  #read(url: string, search: string): RememberedUrl<Query> {
    const query = this.#parse(search);
    const isRemembered = this.#seenOnce.delete(url);
    const found: RememberedUrl<Query> = { query, isRemembered, etag: undefined, page: undefined, lines: '' };
    if (isRemembered) this.#remember(url, found);
    else this.#note(url);
    return found;
  }

  #remember(url: string, found: RememberedUrl<Query>): void {
    if (this.#remembered.size >= maxUrls) this.#remembered.delete(this.#remembered.keys().next().value!);
    this.#remembered.set(url, found);
  }

  #note(url: string): void {
    if (this.#seenOnce.size >= maxUrls) this.#seenOnce.clear();
    this.#seenOnce.add(url);
  }
}

/**
 * Keeps a copy of the page if the URL is likely to come again while the station is as it is: when it has been asked for
 * twice. Copies of every page of a station that changes all the time would only be garbage.
 */
export function keepPage(found: RememberedUrl<unknown>, etag: string, page: Buffer): void {
  if (!found.isRemembered || page.length > maxPageBytes) return;
  found.page = found.etag === etag ? Buffer.from(page) : undefined;
  found.etag = etag;
}

/** The kept page, if it is of the same snapshot and language. */
export function keptPage({ etag, page }: RememberedUrl<unknown>, current: string): Buffer | undefined {
  return etag === current ? page : undefined;
}
