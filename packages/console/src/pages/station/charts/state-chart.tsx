import { useState } from 'react';
import { ShareBar } from '../../../components/share-bar.tsx';
import { useStateName } from '../../../components/state-mark.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { shortState, sortedStates, stateTone } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import type { ListFilters } from '../../../navigation/filter-parameters.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { ChartTitle } from './chart-title.tsx';
import { Figure } from './figure.tsx';
import type { StationFigures } from './figures-query.ts';

const firstShown = 5;

/** How many resources are in each state. What is inactive is calm only where rules watch it. */
export function StateChart({ summary, areRulesUnread, filters, hrefOf }: ChartProps) {
  const { station: words } = useMessages();
  const { language } = usePreferences();
  const [isOpen, setOpen] = useState(false);
  const parts = useParts(summary, filters, areRulesUnread);
  if (summary === undefined) return <ChartSkeleton title={words.states} />;
  const count = (value: number) => formatCount(value, language);
  const label = parts.map(({ name, count: value }) => `${name}: ${count(value)}`).join(', ');
  const shown = isOpen || parts.length <= firstShown + 1 ? parts : parts.slice(0, firstShown);
  return (
    <div className="chart">
      <ChartTitle filters={filters}>{words.states}</ChartTitle>
      <ShareBar
        shares={parts.map(({ key, count: value, tone }) => ({ key, count: value, tone }))}
        label={label || words.nothing}
      />
      <ul className="legend">
        {shown.map((part) => (
          <Figure
            key={part.key}
            href={hrefOf(part.filters)}
            count={part.count}
            tone={part.tone}
            title={part.key}
            share={formatShare(part.count, summary.total)}
            isAlarm={part.tone === 'firing' && part.count > 0}
          >
            {part.name}
          </Figure>
        ))}
        {shown.length < parts.length && (
          <li>
            <button type="button" className="text-button" onClick={() => setOpen(true)}>
              {words.moreStates(count(parts.length - shown.length))}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

interface Part {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  readonly tone: string;
  readonly filters: ListFilters;
}

/** Firing and pending first, then the others, largest first. */
function useParts(
  summary: StationFigures | undefined,
  filters: ListFilters,
  areRulesUnread: boolean,
): readonly Part[] {
  const { coverage: words, states: stateWords } = useMessages();
  const stateName = useStateName();
  if (summary === undefined) return [];
  const states = sortedStates(summary.states).filter(([state]) => stateTone(state) !== 'inactive');
  const { covered, uncovered, cannotAlert } = summary.quiet;
  const isUnknown = areRulesUnread && summary.covered === 0;
  const quiet = { ...filters, states: ['inactive'] };
  const quietParts = [
    {
      key: 'quiet',
      name: words.quiet,
      count: covered,
      tone: 'inactive',
      filters: { ...quiet, covered: true },
    },
    {
      key: 'no-rules',
      name: isUnknown ? stateWords.inactive : words.quietNoRules,
      count: uncovered,
      tone: isUnknown ? 'neutral' : 'uncovered',
      filters: { ...quiet, covered: false },
    },
    {
      key: 'cannot-alert',
      name: words.cannotAlert,
      count: cannotAlert,
      tone: 'neutral',
      filters: { ...quiet, alertable: false },
    },
  ];
  return [
    ...states.map(([state, count]) => ({
      key: state,
      name: stateName(state),
      count,
      tone: stateTone(state),
      filters: { ...filters, states: [shortState(state)] },
    })),
    ...quietParts.filter(({ count }) => count > 0),
  ];
}
