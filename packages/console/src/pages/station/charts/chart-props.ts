import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import type { StationFigures } from './figures-query.ts';

export interface ChartProps {
  /** Undefined while loading. */
  readonly summary: StationFigures | undefined;
  readonly filters: ListFilters;
  /** The URL of this view with other filters. */
  readonly hrefOf: (filters: ListFilters) => string;
}
