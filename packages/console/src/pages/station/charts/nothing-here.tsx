import { useMessages } from '../../../messages/messages.ts';
import type { ChartProps } from './chart-props.ts';

type NothingHereProps = Pick<ChartProps, 'filters'> & { readonly total: number };

/** Why there is no coverage to show. */
export function NothingHere({ total, filters }: NothingHereProps) {
  const { station: words } = useMessages();
  if (total > 0) return <p className="quiet">{words.nothingAlertable}</p>;
  return <p className="quiet">{isUnfiltered(filters) ? words.noResources : words.noMatches}</p>;
}

export function isUnfiltered(filters: ChartProps['filters']): boolean {
  return Object.keys(filters).length === 0;
}
