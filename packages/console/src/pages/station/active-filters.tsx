import type { Filters, StationClient, Summary } from '@roster/client';
import type { QueryFault } from '../../api/server-facts.ts';
import { Icon } from '../../components/icon.tsx';
import { Text } from '../../components/text.tsx';
import { useMessages } from '../../messages/messages.ts';
import { parameterOf, without } from '../../navigation/filter-search.ts';
import { useFacets } from './use-facets.ts';

interface ActiveFiltersProps {
  readonly station: StationClient;
  readonly filters: Filters;
  readonly fault: QueryFault | undefined;
  readonly onFilter: (filters: Filters) => void;
}

/** Each filter that is on, to take away again, with what the server has to say about it. */
export function ActiveFilters({ station, filters, fault, onFilter }: ActiveFiltersProps) {
  const { filters: words, station: stationWords } = useMessages();
  const { types } = useFacets(station);
  const names = Object.keys(filters) as (keyof Filters)[];
  if (names.length === 0 && fault === undefined) return null;
  const isPlaced = names.some((name) => parameterOf(name) === fault?.parameter);
  return (
    <div className="active-filters">
      {names.map((name) => {
        const isFaulty = parameterOf(name) === fault?.parameter;
        return (
          <span key={name} className={isFaulty ? 'chip faulty' : 'chip'}>
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
            {isFaulty && <span role="alert">{fault?.detail}</span>}
          </span>
        );
      })}
      {fault !== undefined && !isPlaced && (
        <span className="chip faulty">
          <span className="mono">{fault.parameter}</span>
          <span role="alert">{fault.detail}</span>
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
