import { queryOptions } from '@tanstack/react-query';
import { fullState, shortState, stateTone } from '../../../format/state.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { selectedValues, withValues } from '../facets/facet-fields.ts';
import type { ListSource } from '../table/list-source.ts';

export interface Group {
  readonly value: string;
  readonly total: number;
  readonly firing: number;
  readonly pending: number;
  readonly other: number;
  readonly suppressed: number;
}

/** The states that are counted in each group, worst first; all that nobody knows together. */
export const countedStates = ['firing', 'pending', 'other', 'suppressed'] as const;
export type CountedState = (typeof countedStates)[number];

export interface Groups {
  readonly groups: readonly Group[];
  /** The states behind the counts. */
  readonly states: Readonly<Record<CountedState, readonly string[]>>;
  /** How many more values there are. */
  readonly others: number;
  /** How many resources have no value. */
  readonly without: number;
}

interface GroupOptions {
  readonly filters: ListFilters;
  readonly field: string;
  readonly revision: string | undefined;
  readonly version: string;
}

/** The resources of a list by the values of a field, in the snapshot of the list. */
export function groupQuery(source: ListSource, { filters, field, revision, version }: GroupOptions) {
  return queryOptions({
    queryKey: ['groups', source.key, filters, field, version],
    queryFn: async ({ signal }): Promise<Groups> => {
      const options = { signal, revision };
      const all = await source.search({ ...filters, facets: [field, 'state'], size: 0 }, options);
      const asked = filters.states?.map(fullState);
      const existing = [...countsOf(all.facets?.state).keys()].filter(
        (state) => asked?.includes(state) !== false,
      );
      const statesOf = (tone: CountedState) =>
        existing.filter((state) => stateTone(state) === tone).map(shortState);
      const states = {
        firing: statesOf('firing'),
        pending: statesOf('pending'),
        other: statesOf('other'),
        suppressed: statesOf('suppressed'),
      };
      const countIn = async (tone: CountedState) => {
        if (states[tone].length === 0) return new Map<string, number>();
        const query = { ...filters, states: states[tone], facets: [field], size: 0 };
        return countsOf((await source.search(query, options)).facets?.[field]);
      };
      // One after the other, because the server limits the searches of one user at a time.
      const firing = await countIn('firing');
      const pending = await countIn('pending');
      const other = await countIn('other');
      const suppressed = await countIn('suppressed');
      const chosen = selectedValues(filters, field);
      const values = (all.facets?.[field]?.values ?? []).filter(
        ({ value }) => value !== '' && (chosen.length === 0 || chosen.includes(value)),
      );
      const named = values.reduce((sum, { count: each }) => sum + each, 0);
      const others = chosen.length === 0 ? (all.facets?.[field]?.other_values ?? 0) : 0;
      return {
        groups: values.map(({ value, count: total }) => ({
          value,
          total,
          firing: firing.get(value) ?? 0,
          pending: pending.get(value) ?? 0,
          other: other.get(value) ?? 0,
          suppressed: suppressed.get(value) ?? 0,
        })),
        states,
        others,
        without: others > 0 ? 0 : Math.max(0, all.page.total - named),
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

type Counts = { readonly values: readonly { readonly value: string; readonly count: number }[] } | undefined;

function countsOf(facet: Counts): Map<string, number> {
  return new Map(facet?.values.map(({ value, count }) => [value, count]));
}

/** The list of one group, or of what in it is in some states. */
export function groupFilters(
  filters: ListFilters,
  field: string,
  value: string,
  states?: readonly string[],
): ListFilters {
  const one = withValues(filters, field, [value]);
  return states === undefined ? one : { ...one, states };
}
