import type { SearchFilters, Summary } from '@roster/client';

export interface ChartProps {
  /** Undefined while loading. */
  readonly summary: Summary | undefined;
  readonly filters: SearchFilters;
  /** The URL of this view with other filters. */
  readonly hrefOf: (filters: SearchFilters) => string;
}
