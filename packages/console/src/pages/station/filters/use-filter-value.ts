import type { StationClient } from '@roster/client';
import { useStateName } from '../../../components/state-mark.tsx';
import { fullState } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import { type FilterParameter, kindOf } from '../../../navigation/filter-parameters.ts';
import { splitItems } from '../../../navigation/filter-search.ts';
import { useFacets } from './use-facets.ts';

/** Shows the value of a filter in the words of the console. */
export function useFilterValue(station: StationClient): (parameter: FilterParameter, text: string) => string {
  const { common } = useMessages();
  const { types } = useFacets(station);
  const stateName = useStateName();
  const typeLabel = (key: string) => types.find((type) => type.key === key)?.label ?? key;
  const itemNames: Partial<Record<FilterParameter, (item: string) => string>> = {
    state: (state) => stateName(fullState(state)),
    resource_type: typeLabel,
    resource_types: typeLabel,
  };
  return (parameter, text) => {
    const kind = kindOf(parameter);
    if (kind === 'boolean' || kind === 'switch') return text === 'true' ? common.yes : common.no;
    const items = kind === 'list' ? splitItems(text) : [text];
    return items.map((item) => itemNames[parameter]?.(item) ?? item).join(', ');
  };
}
