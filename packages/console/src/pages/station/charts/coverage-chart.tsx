import { ShareBar } from '../../../components/share-bar.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { ChartTitle } from './chart-title.tsx';
import { Figure } from './figure.tsx';

/** How many of the resources that can have alerts have alert rules. */
export function CoverageChart({ summary, filters, hrefOf }: ChartProps) {
  const { station: words } = useMessages();
  const { language } = usePreferences();
  if (summary === undefined) return <ChartSkeleton title={words.coverage} />;
  const { covered, uncovered, alertable, total } = summary;
  const count = (value: number) => formatCount(value, language);
  return (
    <div className="chart">
      <ChartTitle filters={filters}>{words.coverage}</ChartTitle>
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
      <ul className="legend">
        <Figure href={hrefOf({ ...filters, covered: false })} count={uncovered} tone="uncovered">
          {words.uncovered}
        </Figure>
        <Figure href={hrefOf({ ...filters, alertable: false })} count={total - alertable}>
          {words.cannotAlert}
        </Figure>
      </ul>
    </div>
  );
}
