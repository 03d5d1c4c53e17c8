import { resolveTimes, searchOfView } from '@roster/contract';
import { type MaybePromise, type StoredView, viewVersion } from '@roster/engine';
import type { Answer } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Search } from '../search/search.ts';
import type { SearchEverywhere } from '../search/search-everywhere.ts';

export interface Searches {
  readonly search: Search;
  readonly everywhere: SearchEverywhere;
}

/** Answers what the search of a view finds now. Its station, if it has one, is that of the exchange. */
export function runView(
  view: StoredView,
  exchange: Exchange,
  { search, everywhere }: Searches,
): MaybePromise<Answer | undefined> {
  const query = resolveTimes(view.query, Date.now());
  const parameters = searchOfView(query, exchange.search);
  if (view.station === undefined) return everywhere(exchange, parameters);
  // What it finds changes with its times.
  return search.answer(exchange, { search: parameters, version: viewVersion({ ...view, query }) });
}
