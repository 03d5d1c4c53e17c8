import { useMessages } from '../../../messages/messages.ts';
import type { ChartProps } from './chart-props.ts';
import { CoverageByType } from './coverage-by-type.tsx';
import { CoverageChart } from './coverage-chart.tsx';
import { StateChart } from './state-chart.tsx';

/** Charts of the matching resources. */
export function StationCharts(props: ChartProps) {
  const { station: words } = useMessages();
  const { summary } = props;
  return (
    <section
      className="charts"
      aria-label={words.figures}
      aria-busy={summary === undefined}
      // On a phone it scrolls sideways, which the keyboard can only do from a focusable element.
      tabIndex={summary?.total === 0 ? 0 : undefined}
    >
      <StateChart {...props} />
      <CoverageChart {...props} />
      <CoverageByType {...props} />
    </section>
  );
}
