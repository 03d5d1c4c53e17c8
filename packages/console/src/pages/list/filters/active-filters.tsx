import type { QueryError } from '../../../api/server-facts.ts';
import { Icon } from '../../../components/icon.tsx';
import { Text } from '../../../components/text.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { useFilterName } from '../../../messages/use-filter-name.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { filterTexts, without } from '../../../navigation/filter-search.ts';
import { useFilterValue } from './use-filter-value.ts';

interface ActiveFiltersProps {
  readonly filters: ListFilters;
  readonly error: QueryError | undefined;
  readonly onFilter: (filters: ListFilters) => void;
}

/** The active filters, removable, with the server's error if any. */
export function ActiveFilters({ filters, error, onFilter }: ActiveFiltersProps) {
  const { filters: words, station: stationWords } = useMessages();
  const nameOf = useFilterName();
  const describe = useFilterValue();
  const active = filterTexts(filters);
  if (active.length === 0 && error === undefined) return null;
  const isPlaced = active.some(({ parameter }) => parameter === error?.parameter);
  return (
    <div className="active-filters">
      {active.map(({ parameter, text }) => {
        const isInvalid = parameter === error?.parameter;
        const name = nameOf(parameter);
        return (
          <span key={parameter} className={isInvalid ? 'chip invalid' : 'chip'}>
            <span className="quiet">{name}</span>
            <Text value={describe(parameter, text)} />
            <button
              type="button"
              aria-label={words.remove(name)}
              title={words.remove(name)}
              onClick={() => onFilter(without(filters, parameter))}
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
