import { useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { ShareBar } from '../../../components/share-bar.tsx';
import { Text } from '../../../components/text.tsx';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { withTypes } from '../../../navigation/filter-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { importHref } from '../../../navigation/route.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { ChartTitle } from './chart-title.tsx';
import { isUnfiltered, NothingHere } from './nothing-here.tsx';

const firstShown = 4;

/** Alertable types, most uncovered first. Each leads to its resources. */
export function CoverageByType({ address, summary, areRulesUnread, filters, hrefOf }: ChartProps) {
  const session = useSession();
  const { station: words, stations } = useMessages();
  const { language } = usePreferences();
  const [isOpen, setOpen] = useState(false);
  if (summary === undefined) return <ChartSkeleton title={words.coverageByType} />;
  const types = summary.types
    .filter(({ alertable }) => alertable > 0)
    .toSorted((a, b) => b.uncovered - a.uncovered || (a.label < b.label ? -1 : 1));
  const isUnknown = areRulesUnread && summary.covered === 0;
  const shown = isOpen || types.length <= firstShown + 1 ? types : types.slice(0, firstShown);
  return (
    <div className="chart wide">
      <ChartTitle filters={filters}>{words.coverageByType}</ChartTitle>
      {types.length === 0 && <NothingHere total={summary.total} filters={filters} />}
      {summary.total === 0 && isUnfiltered(filters) && session.may('write_resources') && (
        <p>
          <Link href={importHref(address)}>{words.importFile}</Link>
        </p>
      )}
      <ul className="type-bars">
        {shown.map(({ key, label, covered, uncovered, alertable }) => (
          <li key={key}>
            <Link href={hrefOf(withTypes(filters, [key]))} title={key}>
              <Text value={label} className="link-text" />
              <ShareBar
                isSlim
                shares={[
                  { key: 'covered', count: covered, tone: 'covered' },
                  { key: 'uncovered', count: uncovered, tone: isUnknown ? 'neutral' : 'uncovered' },
                ]}
                label={
                  isUnknown
                    ? stations.coverageUnknown
                    : words.coverageOf(formatCount(covered, language), formatCount(alertable, language))
                }
              />
              <span className="numeric">{isUnknown ? '–' : formatShare(covered, alertable)}</span>
              <span className="numeric quiet">
                {words.uncoveredCount(isUnknown ? '?' : formatCount(uncovered, language))}
              </span>
            </Link>
          </li>
        ))}
        {shown.length < types.length && (
          <li>
            <button type="button" className="text-button" onClick={() => setOpen(true)}>
              {words.moreStates(formatCount(types.length - shown.length, language))}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}
