import { useTypeLabel } from '../../../api/use-type-label.ts';
import { useStateName } from '../../../components/state-mark.tsx';
import { fullState } from '../../../format/state.ts';
import { stationName } from '../../../format/station-name.ts';
import { useMessages } from '../../../messages/messages.ts';
import { type FilterParameter, kindOf } from '../../../navigation/filter-parameters.ts';
import { splitItems } from '../../../navigation/filter-search.ts';

/** Shows the value of a filter in the words of the console. */
export function useFilterValue(): (parameter: FilterParameter, text: string) => string {
  const { common } = useMessages();
  const typeLabel = useTypeLabel();
  const stateName = useStateName();
  const itemNames: Partial<Record<FilterParameter, (item: string) => string>> = {
    state: (state) => stateName(fullState(state)),
    resource_type: typeLabel,
    resource_types: typeLabel,
    station: stationName,
  };
  return (parameter, text) => {
    const kind = kindOf(parameter);
    if (kind === 'boolean' || kind === 'switch') return text === 'true' ? common.yes : common.no;
    const items = kind === 'list' ? splitItems(text) : [text];
    return items.map((item) => itemNames[parameter]?.(item) ?? item).join(', ');
  };
}
