import { RosterError, searchOfView } from '@roster/contract';
import { type MaybePromise, type StoredView, viewVersion } from '@roster/engine';
import type { Exchange } from '../../http/exchange.ts';
import type { Search } from '../search/search.ts';

/** Answers what the search of a view finds now. The caller may read its station, which is that of the exchange. */
export function runView(view: StoredView, exchange: Exchange, search: Search): MaybePromise<undefined> {
  const asked = { search: searchOfView(view.query, exchange.search), version: viewVersion(view) };
  if (view.station !== undefined) return search.answer(exchange, asked);
  throw new RosterError(
    'invalid_parameter',
    'this view is for all stations, which cannot be searched at once',
  );
}
