import { ShareBar } from '../../../components/share-bar.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { ChartTitle } from './chart-title.tsx';
import { Figure } from './figure.tsx';
import { NothingHere } from './nothing-here.tsx';

/** How many of the resources that can have alerts have alert rules. */
export function CoverageChart({ summary, areRulesUnread, filters, hrefOf }: ChartProps) {
  const { station: words, stations } = useMessages();
  const { language } = usePreferences();
  if (summary === undefined) return <ChartSkeleton title={words.coverage} />;
  const { covered, uncovered, alertable, total } = summary;
  const isUnknown = areRulesUnread && covered === 0;
  const count = (value: number) => formatCount(value, language);
  return (
    <div className="chart">
      <ChartTitle filters={filters}>{words.coverage}</ChartTitle>
      {alertable === 0 ? (
        <NothingHere total={total} filters={filters} />
      ) : (
        <p className="big-figure numeric">
          {isUnknown ? '–' : formatShare(covered, alertable)}{' '}
          <span className="quiet">{isUnknown ? stations.coverageUnknown : words.haveRules}</span>
        </p>
      )}
      <ShareBar
        shares={[
          { key: 'covered', count: covered, tone: 'covered' },
          { key: 'uncovered', count: uncovered, tone: isUnknown ? 'neutral' : 'uncovered' },
        ]}
        label={isUnknown ? stations.coverageUnknown : words.coverageOf(count(covered), count(alertable))}
      />
      <ul className="legend">
        {!isUnknown && (
          <Figure href={hrefOf({ ...filters, covered: false })} count={uncovered} tone="uncovered">
            {words.uncovered}
          </Figure>
        )}
        <Figure href={hrefOf({ ...filters, alertable: false })} count={total - alertable}>
          {words.cannotAlert}
        </Figure>
      </ul>
    </div>
  );
}
