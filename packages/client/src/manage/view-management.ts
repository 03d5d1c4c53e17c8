import { checkCount, encodeSegment, refuseUnknownMembers } from '../check-argument.ts';
import { type CallOptions, type ReadOptions, revisionHeader } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import { type EverywhereQuery, encodeEverywhereQuery } from '../query/search-query.ts';
import type { FoundResource, RecordView, SavedView, SavedViewPage, SearchPage } from '../roster-wire.ts';
import { parseStationAddress, type StationAddress, stationPath } from '../station-address.ts';
import { askRoster, atVersion, jsonBody, type VersionOptions } from './roster-request.ts';
import type { SearchAnswer } from './station-management.ts';

const viewsPerPage = 1000;

/** What to save as a view. */
export interface NewView {
  /** By its four names or by path. Without it, the view is for all stations. */
  readonly station?: StationAddress | string | null | undefined;
  /** As for a search, or as the query string of its URL. */
  readonly query?: Omit<EverywhereQuery, 'offset' | 'size'> | string | undefined;
}

export interface ViewOptions {
  /** The shared view of this name instead of one's own. */
  readonly shared?: boolean | undefined;
}

export interface ViewFilters {
  /** Only shared views, or only one's own. */
  readonly shared?: boolean | undefined;
}

export interface PageQuery {
  readonly offset?: number | undefined;
  readonly size?: number | undefined;
}

/** One page of what a view finds. */
export interface ViewAnswer extends SearchAnswer {
  /** Each with the path of its station if the view is for all stations. */
  readonly resources: readonly (RecordView | FoundResource)[];
}

/** Saved searches. */
export class ViewManagement {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of views: one's own, then the shared ones, each by name. */
  async list(query: ViewFilters & PageQuery = {}, options: CallOptions = {}): Promise<SavedViewPage> {
    const { shared, ...page } = query;
    const search = encodePage(page);
    if (shared !== undefined) search.set('shared', String(shared));
    const request = { method: 'GET', path: '/views', search, options } as const;
    return (await askRoster(this.#transport, request, ['views', 'page'])).value;
  }

  /** Every view. One saved or deleted meanwhile may be missed or come twice. */
  async *all(filters: ViewFilters = {}, options: CallOptions = {}): AsyncGenerator<SavedView, void> {
    for (let offset = 0; ; ) {
      const { views, page } = await this.list({ ...filters, offset, size: viewsPerPage }, options);
      yield* views;
      offset += views.length;
      if (views.length === 0 || offset >= page.total) return;
    }
  }

  async get(name: string, options: ViewOptions & CallOptions = {}): Promise<SavedView> {
    const request = { method: 'GET', path: viewPath(name, options), options } as const;
    return (await askRoster(this.#transport, request, ['name', 'query'])).value;
  }

  /** Creates or replaces a view. */
  async put(
    name: string,
    view: NewView,
    options: ViewOptions & VersionOptions = {},
  ): Promise<{ created: boolean; view: SavedView }> {
    refuseUnknownMembers('the view', view, ['station', 'query']);
    const { body, headers } = jsonBody({ station: pathOf(view.station), query: this.#encode(view.query) });
    const condition = atVersion(options);
    const request = {
      method: 'PUT',
      path: viewPath(name, options),
      body,
      ...condition,
      headers: { ...headers, ...condition.headers },
      options,
    } as const;
    const { status, value } = await askRoster(this.#transport, request, ['name', 'query']);
    return { created: status === 201, view: value };
  }

  async delete(name: string, options: ViewOptions & VersionOptions = {}): Promise<void> {
    const path = viewPath(name, options);
    await askRoster(this.#transport, { method: 'DELETE', path, ...atVersion(options), options }, []);
  }

  /** One page of what the search of the view finds now. */
  async run(
    name: string,
    page: PageQuery = {},
    options: ViewOptions & ReadOptions = {},
  ): Promise<ViewAnswer> {
    const path = `${viewPath(name, options)}/resources`;
    const request = { method: 'GET', path, search: encodePage(page), options, canCache: true } as const;
    const { value, headers } = await askRoster(this.#transport, request, ['resources', 'page']);
    return { ...(value as SearchPage), revision: headers.get(revisionHeader) ?? undefined };
  }

  #encode(query: NewView['query']): string {
    if (query === undefined || typeof query === 'string') return query ?? '';
    return encodeEverywhereQuery(query, this.#transport.settings.listDelimiter).toString();
  }
}

function viewPath(name: string, { shared }: ViewOptions): string {
  return `${shared ? '/shared-views' : '/views'}/${encodeSegment('the name of the view', name)}`;
}

function pathOf(station: NewView['station']): string | null {
  if (station === undefined || station === null) return null;
  return stationPath(typeof station === 'string' ? parseStationAddress(station) : station);
}

function encodePage(page: PageQuery): URLSearchParams {
  refuseUnknownMembers('the page', page, ['offset', 'size']);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(page)) {
    if (value !== undefined) search.set(`page.${name}`, String(checkCount(name, value)));
  }
  return search;
}
