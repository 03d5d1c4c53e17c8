import type { StationAddress } from '@roster/client';
import { isStationParameter, type ListFilters } from './filter-parameters.ts';
import { formatFilters, isFilterReadable, parseFilters } from './filter-search.ts';
import { stationHref } from './route.ts';
import { type RangeName, rangeNames, type TimeRange } from './time-range.ts';

/** What the page of changes shows. */
export interface ChangesView {
  readonly filters: ListFilters;
  readonly range: RangeName | TimeRange;
  /** Whether changes of other fields than the state are shown too. */
  readonly isEverything: boolean;
}

const rangeParameter = 'range';
const fromParameter = 'changed_after';
const toParameter = 'changed_before';
const statesParameter = 'state_changes';
const defaultRange: RangeName = '24h';

/** What cannot be read is left out, and its parameters are in `unreadable`. */
export function parseChangesView(search: URLSearchParams): ChangesView & { readonly unreadable: string[] } {
  const own = [rangeParameter, fromParameter, toParameter, statesParameter];
  const unreadable = [...new Set(search.keys())].filter(
    (name) => !own.includes(name) && (isStationParameter(name) || !isFilterReadable(search, name)),
  );
  const time = (name: string) => {
    const text = search.get(name) ?? '';
    const ms = Date.parse(text);
    if (text !== '' && Number.isNaN(ms)) unreadable.push(name);
    return Number.isNaN(ms) ? undefined : ms;
  };
  const [fromMs, toMs] = [time(fromParameter), time(toParameter)];
  const asked = search.get(rangeParameter) ?? '';
  const named = rangeNames.find((name) => name === asked);
  if (asked !== '' && named === undefined) unreadable.push(rangeParameter);
  const isFixed = named === undefined && (fromMs !== undefined || toMs !== undefined);
  const filters = parseFilters(
    new URLSearchParams([...search].filter(([name]) => !isStationParameter(name))),
  );
  return {
    filters,
    range: isFixed ? { fromMs, toMs } : (named ?? defaultRange),
    isEverything: search.get(statesParameter) === 'false',
    unreadable,
  };
}

export function changesHref(
  station: StationAddress,
  { filters = {}, range = defaultRange, isEverything = false }: Partial<ChangesView>,
): string {
  const search = formatFilters(filters);
  if (typeof range === 'string') search.set(rangeParameter, range);
  else {
    if (range.fromMs !== undefined) search.set(fromParameter, new Date(range.fromMs).toISOString());
    if (range.toMs !== undefined) search.set(toParameter, new Date(range.toMs).toISOString());
  }
  if (isEverything) search.set(statesParameter, 'false');
  return `${stationHref(station)}/changes?${search}`;
}
