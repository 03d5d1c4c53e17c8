import { type FilterParameter, labelKey } from '../navigation/filter-parameters.ts';
import { useMessages } from './messages.ts';

/** What a filter is called. A label is called by its key. */
export function useFilterName(): (parameter: FilterParameter) => string {
  const { names } = useMessages().filters;
  return (parameter) => labelKey(parameter) ?? names[parameter as keyof typeof names];
}
