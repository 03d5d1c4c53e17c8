import { ShareBar } from '../../../components/share-bar.tsx';
import { useStateName } from '../../../components/state-mark.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { shortState, sortedStates, stateTone } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { Figure } from './figure.tsx';

/** How many resources are in each state. */
export function StateChart({ summary, filters, hrefOf }: ChartProps) {
  const { station: words } = useMessages();
  const { language } = usePreferences();
  const stateName = useStateName();
  if (summary === undefined) return <ChartSkeleton title={words.states} />;
  const states = sortedStates(summary.states);
  const label = states
    .map(([state, count]) => `${stateName(state)}: ${formatCount(count, language)}`)
    .join(', ');
  return (
    <div className="chart">
      <h2>{words.states}</h2>
      <ShareBar
        shares={states.map(([key, count]) => ({ key, count, tone: stateTone(key) }))}
        label={label || words.nothing}
      />
      <ul className="legend">
        {states.slice(0, 6).map(([state, count]) => (
          <Figure
            key={state}
            href={hrefOf({ ...filters, states: [shortState(state)] })}
            count={count}
            tone={stateTone(state)}
            title={state}
            share={formatShare(count, summary.total)}
          >
            {stateName(state)}
          </Figure>
        ))}
      </ul>
    </div>
  );
}
