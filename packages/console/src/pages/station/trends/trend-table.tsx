import type { TrendPoint, Trends } from '@roster/client';
import { Fragment } from 'react';
import { formatBoth } from '../../../format/clock.ts';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { Link } from '../../../navigation/link.tsx';
import { usePreferences } from '../../../preferences/preferences.ts';
import { type AlertTone, byTone, shownTones } from './trend-shapes.ts';
import { formatSpan } from './trend-times.ts';

interface TrendTableProps {
  readonly trends: Trends;
  readonly hrefOf: (point: TrendPoint) => string;
}

/** The points, newest first. Time without data is one row. */
export function TrendTable({ trends, hrefOf }: TrendTableProps) {
  const { trends: words, station: stationWords, states, stations } = useMessages();
  const { language } = usePreferences();
  const { points, step } = trends;
  const tones = shownTones(points);
  return (
    <section className="scroll-x trend-table" aria-label={words.table}>
      <table className="plain-table">
        <thead>
          <tr>
            <th>{words.time}</th>
            {tones.map((tone) => (
              <Fragment key={tone}>
                <th className="number">{tone === 'other' ? words.otherStates : states[tone]}</th>
                <th className="number">{words.peak}</th>
              </Fragment>
            ))}
            <th className="number">{stationWords.uncovered}</th>
            <th className="number">{stations.coverage}</th>
            <th className="number">{stationWords.resources}</th>
          </tr>
        </thead>
        <tbody>
          {withGaps(points).map((part) =>
            'from' in part ? (
              <tr key={part.from.time}>
                <td className="quiet">{formatSpan(part.from, part.to, step, language)}</td>
                <td className="quiet" colSpan={2 * tones.length + 3}>
                  {words.noData}
                </td>
              </tr>
            ) : (
              <PointRow key={part.time} point={part} step={step} tones={tones} href={hrefOf(part)} />
            ),
          )}
        </tbody>
      </table>
    </section>
  );
}

interface PointRowProps {
  readonly point: TrendPoint;
  readonly step: Trends['step'];
  readonly tones: readonly AlertTone[];
  readonly href: string;
}

function PointRow({ point, step, tones, href }: PointRowProps) {
  const { language } = usePreferences();
  const count = (value: number) => formatCount(value, language);
  const [now, most] = [byTone(point.states!), byTone(point.peaks!)];
  const toned = (value: number, tone: string) => (
    <td className={`number ${value > 0 ? `strong tone-${tone}` : 'quiet'}`}>{count(value)}</td>
  );
  return (
    <tr>
      <td>
        <Link href={href} title={formatBoth(Date.parse(point.time))}>
          {formatSpan(point, point, step, language)}
        </Link>
      </td>
      {tones.map((tone) => (
        <Fragment key={tone}>
          {toned(now[tone], tone)}
          {toned(most[tone], tone)}
        </Fragment>
      ))}
      {toned(point.uncovered!, 'uncovered')}
      <td className="number">{formatShare(point.covered!, point.alertable!)}</td>
      <td className="number">{count(point.total!)}</td>
    </tr>
  );
}

interface Gap {
  readonly from: TrendPoint;
  readonly to: TrendPoint;
}

/** Newest first. */
function withGaps(points: readonly TrendPoint[]): (TrendPoint | Gap)[] {
  const parts: (TrendPoint | Gap)[] = [];
  for (const point of points) {
    const last = parts.at(-1);
    if (point.hours > 0) parts.push(point);
    else if (last !== undefined && 'from' in last) parts[parts.length - 1] = { from: last.from, to: point };
    else parts.push({ from: point, to: point });
  }
  return parts.toReversed();
}
