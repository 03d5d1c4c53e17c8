import type {
  EverywhereQuery,
  FacetCounts,
  Page,
  RecordView,
  RosterClient,
  StationClient,
} from '@roster/client';

export interface FoundPage {
  readonly resources: readonly RecordView[];
  readonly page: Page;
  readonly facets: Readonly<Record<string, FacetCounts>> | null;
  readonly hints: readonly string[];
  /** The snapshot; undefined where none spans what was searched. */
  readonly revision?: string | undefined;
}

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly revision?: string | undefined;
}

/** What a list is of: one station, or all that the user may see. */
export interface ListSource {
  /** In the query cache. */
  readonly key: string;
  readonly search: (query: EverywhereQuery, options: ReadOptions) => Promise<FoundPage>;
}

export function stationSource(station: StationClient): ListSource {
  return {
    key: station.path,
    search: (query, options) => station.manage.search(query, options),
  };
}

export function everywhereSource({ manage }: RosterClient): ListSource {
  return { key: 'everywhere', search: (query, { signal }) => manage.search(query, { signal }) };
}
