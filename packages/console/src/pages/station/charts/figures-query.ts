import type { StationClient, Summary } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { fullState } from '../../../format/state.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';

/** What is inactive, by whether anyone would notice otherwise. */
export interface Quiet {
  readonly covered: number;
  readonly uncovered: number;
  readonly cannotAlert: number;
}

export interface StationFigures extends Summary {
  readonly quiet: Quiet;
}

interface FiguresOptions {
  readonly language: string;
  readonly filters: ListFilters;
  readonly revision: string;
}

/** The figures of what matches the filters, in the snapshot of the list. */
export function figuresQuery(station: StationClient, { language, filters, revision }: FiguresOptions) {
  return queryOptions({
    queryKey: ['figures', station.path, language, filters, revision],
    queryFn: async ({ signal }): Promise<StationFigures> => {
      const [summary, quiet] = await Promise.all([
        station.manage.summary(filters, { signal, revision }),
        readQuiet(station, filters, { signal, revision }),
      ]);
      return { ...summary, quiet };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

const inactive = 'ALERTSTATE_INACTIVE';

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly revision: string;
}

async function readQuiet(station: StationClient, filters: ListFilters, options: ReadOptions): Promise<Quiet> {
  const none = { covered: 0, uncovered: 0, cannotAlert: 0 };
  if (filters.states && !filters.states.map(fullState).includes(inactive)) return none;
  const query = { ...filters, states: [inactive], facets: ['covered'], size: 0 };
  const { page, facets } = await station.manage.search(query, options);
  // A facet is counted without regard to its own filter.
  if (filters.covered !== undefined)
    return { ...none, [filters.covered ? 'covered' : 'uncovered']: page.total };
  const count = (value: string) => facets?.covered?.values.find((each) => each.value === value)?.count ?? 0;
  const [covered, uncovered] = [count('true'), count('false')];
  return { covered, uncovered, cannotAlert: page.total - covered - uncovered };
}
