import type { ReactNode } from 'react';
import { useMessages } from '../../../messages/messages.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';

interface ChartTitleProps {
  readonly filters: ListFilters;
  readonly children: ReactNode;
}

/** Says so when a chart is about what matches filters, which is easily taken for the whole station. */
export function ChartTitle({ filters, children }: ChartTitleProps) {
  const { station: words } = useMessages();
  return (
    <h2>
      {children}
      {Object.keys(filters).length > 0 && ` · ${words.filtered}`}
    </h2>
  );
}
