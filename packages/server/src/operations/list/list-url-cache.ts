import { type ListQuery, type ParseListQueryOptions, parseListQuery } from '@roster/contract';
import type { Exchange } from '../../http/exchange.ts';

/** What a list URL asks for and, if it comes again, the last page it was answered with. */
export interface ListUrl {
  readonly query: ListQuery;
  readonly isRemembered: boolean;
  /** The snapshot and language of the page. A reference would keep the snapshot alive. */
  etag: string | undefined;
  page: Buffer | undefined;
}

const maxUrls = 1024;
const maxPageBytes = 32 * 1024;

/**
 * Remembers list URLs that come again: consoles and pollers send the same few all day. They are not parsed again, and
 * not rendered again until the station changes. Keeps at most 32 MiB of pages.
 */
export class ListUrlCache {
  readonly #options: ParseListQueryOptions;
  readonly #seenOnce = new Set<string>();
  readonly #remembered = new Map<string, ListUrl>();

  constructor(options: ParseListQueryOptions) {
    this.#options = options;
  }

  /** Throws if a parameter is wrong. */
  find(exchange: Exchange): ListUrl {
    const url = exchange.request.url!;
    const known = this.#remembered.get(url);
    if (known !== undefined) return known;
    const query = parseListQuery(exchange.search, this.#options);
    const isRemembered = this.#seenOnce.delete(url);
    const found: ListUrl = { query, isRemembered, etag: undefined, page: undefined };
    if (isRemembered) this.#remember(url, found);
    else this.#note(url);
    return found;
  }

  #remember(url: string, found: ListUrl): void {
    if (this.#remembered.size >= maxUrls) this.#remembered.delete(this.#remembered.keys().next().value!);
    this.#remembered.set(url, found);
  }

  #note(url: string): void {
    if (this.#seenOnce.size >= maxUrls) this.#seenOnce.clear();
    this.#seenOnce.add(url);
  }
}

/** Keeps a copy of the page if the URL is likely to come again. */
export function keepPage(found: ListUrl, etag: string, page: Buffer): void {
  if (!found.isRemembered || page.length > maxPageBytes) return;
  found.page = Buffer.from(page);
  found.etag = etag;
}

/** The kept page, if it is of the same snapshot and language. */
export function keptPage({ etag, page }: ListUrl, current: string): Buffer | undefined {
  return etag === current ? page : undefined;
}
