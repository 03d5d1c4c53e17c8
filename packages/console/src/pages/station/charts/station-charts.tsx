import type { Filters, Summary } from '@roster/client';
import { ShareBar } from '../../../components/share-bar.tsx';
import { useStateName } from '../../../components/state-mark.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { sortedStates, stateTone } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { CoverageByType } from './coverage-by-type.tsx';

interface StationChartsProps {
  readonly summary: Summary | undefined;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

/** Charts of the matching resources. */
export function StationCharts({ summary, filters, onFilter }: StationChartsProps) {
  const { station: words } = useMessages();
  return (
    <section
      className="charts"
      aria-label={words.figures}
      aria-busy={summary === undefined}
      // On a phone it scrolls sideways, which the keyboard can only do from a focusable element.
      tabIndex={summary?.alertable === 0 ? 0 : undefined}
    >
      <StateChart summary={summary} />
      <CoverageChart summary={summary} />
      <CoverageByType summary={summary} filters={filters} onFilter={onFilter} />
    </section>
  );
}

function StateChart({ summary }: { readonly summary: Summary | undefined }) {
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
      <dl className="legend">
        {states.slice(0, 6).map(([state, count]) => (
          <div key={state}>
            <dt title={state}>
              <span className={`swatch fill-${stateTone(state)}`} aria-hidden="true" />
              {stateName(state)}
            </dt>
            <dd className="numeric">
              {formatCount(count, language)}{' '}
              <span className="quiet">{formatShare(count, summary.total)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function CoverageChart({ summary }: { readonly summary: Summary | undefined }) {
  const { station: words } = useMessages();
  const { language } = usePreferences();
  if (summary === undefined) return <ChartSkeleton title={words.coverage} />;
  const { covered, uncovered, alertable, total } = summary;
  const count = (value: number) => formatCount(value, language);
  return (
    <div className="chart">
      <h2>{words.coverage}</h2>
      <p className="big-figure numeric">
        {formatShare(covered, alertable)} <span className="quiet">{words.haveRules}</span>
      </p>
      <ShareBar
        shares={[
          { key: 'covered', count: covered, tone: 'covered' },
          { key: 'uncovered', count: uncovered, tone: 'uncovered' },
        ]}
        label={words.coverageOf(count(covered), count(alertable))}
      />
      <dl className="legend">
        <div>
          <dt>
            <span className="swatch fill-uncovered" aria-hidden="true" />
            {words.uncovered}
          </dt>
          <dd className="numeric">{count(uncovered)}</dd>
        </div>
        <div>
          <dt>{words.cannotAlert}</dt>
          <dd className="numeric">{count(total - alertable)}</dd>
        </div>
      </dl>
    </div>
  );
}
