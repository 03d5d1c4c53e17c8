import type { StationAddress } from '@roster/client';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import type { StationFigures } from './figures-query.ts';

export interface ChartProps {
  readonly address: StationAddress;
  /** Undefined while loading. */
  readonly summary: StationFigures | undefined;
  /** Whether its alert rules have never been read. */
  readonly areRulesUnread: boolean;
  readonly filters: ListFilters;
  /** The URL of this view with other filters. */
  readonly hrefOf: (filters: ListFilters) => string;
}
