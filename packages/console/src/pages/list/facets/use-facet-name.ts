import { useTypeLabel } from '../../../api/use-type-label.ts';
import { useStateName } from '../../../components/state-mark.tsx';
import { stationName } from '../../../format/station-name.ts';
import { useMessages } from '../../../messages/messages.ts';
import { labelKey } from '../../../navigation/filter-parameters.ts';

/** What a facet is called. A label is called by its key. */
export function useFacetName(): (field: string) => string {
  const { facets } = useMessages();
  return (field) => labelKey(field) ?? facets.names[field as keyof typeof facets.names] ?? field;
}

/** What a value of a facet is called. */
export function useFacetValue(): (field: string, value: string) => string {
  const { facets } = useMessages();
  const typeLabel = useTypeLabel();
  const stateName = useStateName();
  return (field, value) => {
    if (field === 'state') return stateName(value);
    if (field === 'covered') return value === 'true' ? facets.withRules : facets.withoutRules;
    if (field === 'resource_type') return typeLabel(value);
    if (field === 'product') return value.replace(/^product\./, '');
    return field === 'station' ? stationName(value) : value;
  };
}
