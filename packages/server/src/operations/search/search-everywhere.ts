import { createHash } from 'node:crypto';
import {
  nearestName,
  nearestState,
  parseEverywhereQuery,
  quote,
  RosterError,
  revisionHeader,
  type SearchFilters,
  stationPath,
  usualStates,
} from '@roster/contract';
import { type FoundEverywhere, type Labels, renderRecords } from '@roster/engine';
import { type Answer, type Handlers, jsonType } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { didYouMean } from '../snapshot/find-hints.ts';
import { localise, revalidated } from '../snapshot/localised-snapshot.ts';
import { viewFacets } from './view-facets.ts';

/** Answers a search of all stations that the caller may read. `search` is its query string. */
export type SearchEverywhere = (exchange: Exchange, search: string) => Promise<Answer>;

export function everywhereOperations(everywhere: SearchEverywhere): Pick<Handlers, 'searchEverywhere'> {
  return { searchEverywhere: (exchange) => everywhere(exchange, exchange.search) };
}

export function createSearchEverywhere({ store, engine, heavyReads }: OperationOptions): SearchEverywhere {
  return async (exchange, search) => {
    const query = parseEverywhereQuery(search);
    refusePin(exchange);
    const { scopes, id } = exchange.principal!;
    const slicer = heavyReads.begin(exchange).endingSlicer;
    await slicer.pause();
    const found = await engine.searchEverywhere({ query, scopes, reader: id, slicer });
    const labels = engine.knownLabels();
    const locale = labels.localeFor(exchange.request.headers['accept-language']);
    const { offset, size } = query.page;
    const end = JSON.stringify({
      page: { offset, size, total: found.total },
      facets: found.facets === undefined ? null : viewFacets(found.facets),
      hints: found.total === 0 ? hintsFor(query, store.knownCatalog().types.keys()) : [],
    });
    const body = `{"resources":[${renderFound(found, labels, locale)}],${end.slice(1)}`;
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`;
    const headers = {
      ETag: etag,
      'Content-Language': locale,
      Vary: 'Accept-Language',
      'Cache-Control': revalidated,
    };
    if (matchesEtag(exchange.request.headers['if-none-match'], etag)) return { status: 304, headers };
    return { headers: { ...headers, 'Content-Type': jsonType }, body };
  };
}

function refusePin({ request }: Exchange): void {
  if (request.headers['roster-revision'] === undefined) return;
  throw new RosterError(
    'invalid_parameter',
    `${revisionHeader} pins one station; a search of all stations cannot have it`,
    { parameter: revisionHeader },
  );
}

function renderFound({ rows }: FoundEverywhere, labels: Labels, locale: string): string {
  const records = rows.map(({ snapshot, slot, station }) => {
    const one = { snapshot, slots: Uint32Array.of(slot), count: 1 };
    const { overrides } = localise(snapshot, labels, locale);
    const record = renderRecords({ ...one, overrides }, ',', Buffer.allocUnsafe).toString();
    // Without its brace, and without the comma behind it.
    return `{"station":${JSON.stringify(stationPath(station))},${record.slice(1, -1)}`;
  });
  return records.join(',');
}

type Hinted = Pick<SearchFilters, 'types' | 'states'>;

/** Only types are known to everyone; what else there is in other stations is none of the caller's business. */
function hintsFor({ types = [], states = [] }: Hinted, known: Iterable<string>): string[] {
  const keys = [...known];
  const unknown = types.filter((key) => !keys.includes(key));
  const unusual = states.filter((state) => !usualStates.includes(state));
  return [
    ...unknown
      .slice(0, 5)
      .map((key) => `there is no resource type ${quote(key)}${didYouMean(nearestName(key, keys))}`),
    ...unusual
      .slice(0, 5)
      .map((state) => `${quote(state)} is not a usual state${didYouMean(nearestState(state))}`),
  ];
}
