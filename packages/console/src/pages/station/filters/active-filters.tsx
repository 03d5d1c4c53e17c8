import type { Filters, StationClient, Summary } from '@roster/client';
import type { QueryError } from '../../../api/server-facts.ts';
import { Icon } from '../../../components/icon.tsx';
import { Text } from '../../../components/text.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { parameterOf, without } from '../../../navigation/filter-search.ts';
import { useFacets } from './use-facets.ts';

interface ActiveFiltersProps {
  readonly station: StationClient;
  readonly filters: Filters;
  readonly error: QueryError | undefined;
  readonly onFilter: (filters: Filters) => void;
}

/** The active filters, removable, with the server's error if any. */
export function ActiveFilters({ station, filters, error, onFilter }: ActiveFiltersProps) {
  const { filters: words, station: stationWords } = useMessages();
  const { types } = useFacets(station);
  const names = Object.keys(filters) as (keyof Filters)[];
  if (names.length === 0 && error === undefined) return null;
  const isPlaced = names.some((name) => parameterOf(name) === error?.parameter);
  return (
    <div className="active-filters">
      {names.map((name) => {
        const isInvalid = parameterOf(name) === error?.parameter;
        return (
          <span key={name} className={isInvalid ? 'chip invalid' : 'chip'}>
            <span className="quiet">{words[name]}</span>
            <Text value={describe(filters[name], types)} />
            <button
              type="button"
              aria-label={words.remove(words[name])}
              title={words.remove(words[name])}
              onClick={() => onFilter(without(filters, name))}
            >
              <Icon name="close" />
            </button>
            {isInvalid && <span role="alert">{error?.detail}</span>}
          </span>
        );
      })}
      {error !== undefined && !isPlaced && (
        <span className="chip invalid">
          <span className="mono">{error.parameter}</span>
          <span role="alert">{error.detail}</span>
        </span>
      )}
      <button type="button" className="button quiet-button" onClick={() => onFilter({})}>
        {stationWords.clearFilters}
      </button>
    </div>
  );
}

function describe(value: Filters[keyof Filters], types: Summary['types']): string {
  const label = (key: string) => types.find((type) => type.key === key)?.label ?? key;
  if (value === true) return '✓';
  return Array.isArray(value) ? value.map(label).join(', ') : label(String(value));
}
