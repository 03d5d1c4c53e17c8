import { ShareBar } from '../../../components/share-bar.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { withTypes } from '../../../navigation/filter-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';

/** Alertable types, most uncovered first. Each leads to its resources. */
export function CoverageByType({ summary, filters, hrefOf }: ChartProps) {
  const { station: words } = useMessages();
  const { language } = usePreferences();
  if (summary === undefined) return <ChartSkeleton title={words.coverageByType} />;
  const types = summary.types
    .filter(({ alertable }) => alertable > 0)
    .toSorted((a, b) => b.uncovered - a.uncovered || (a.label < b.label ? -1 : 1));
  return (
    <div className="chart wide">
      <h2>{words.coverageByType}</h2>
      {types.length === 0 && <p className="quiet">{words.nothingAlertable}</p>}
      <ul className="type-bars">
        {types.map(({ key, label, covered, uncovered, alertable }) => (
          <li key={key}>
            <Link href={hrefOf(withTypes(filters, [key]))} title={key}>
              <Text value={label} className="link-text" />
              <ShareBar
                isSlim
                shares={[
                  { key: 'covered', count: covered, tone: 'covered' },
                  { key: 'uncovered', count: uncovered, tone: 'uncovered' },
                ]}
                label={words.coverageOf(formatCount(covered, language), formatCount(alertable, language))}
              />
              <span className="numeric">{formatShare(covered, alertable)}</span>
              <span className="numeric quiet">{words.uncoveredCount(formatCount(uncovered, language))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
