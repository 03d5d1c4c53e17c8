import type { StationAddress, StationClient, TrendPoint, Trends } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../../components/notice.tsx';
import { formatBoth, formatZone } from '../../../format/clock.ts';
import { formatCount, formatShare } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { changesHref } from '../../../navigation/changes-search.ts';
import { Link } from '../../../navigation/link.tsx';
import { navigate } from '../../../navigation/location.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { ListView } from '../../list/use-list-view.ts';
import { TrendChart } from './trend-chart.tsx';
import { stepMsOf, type TrendRange, trendRanges, trendsQuery } from './trend-ranges.ts';
import { byTone, peakOf, shownTones } from './trend-shapes.ts';
import { TrendTable } from './trend-table.tsx';
import { formatSpan } from './trend-times.ts';
import { type KnownNow, withNow } from './with-now.ts';

interface TrendsPanelProps {
  readonly station: StationClient;
  readonly view: ListView;
  readonly range: TrendRange;
  readonly now: KnownNow | undefined;
}

/** How the whole station developed, as a picture and as a table. */
export function TrendsPanel({ station, view, range, now }: TrendsPanelProps) {
  const { trends: words } = useMessages();
  const { hrefWith } = view;
  const { data, error, refetch } = useQuery(trendsQuery(station, range));
  return (
    <section className="chart trends" id="trends" aria-label={words.title} aria-busy={data === undefined}>
      <header>
        <h2>
          {words.title} <span className="quiet">{words.wholeStation}</span>
        </h2>
        <fieldset className="trend-ranges">
          <legend className="visually-hidden">{words.range}</legend>
          {(Object.keys(trendRanges) as TrendRange[]).map((each) => (
            <button
              key={each}
              type="button"
              className="button"
              aria-pressed={each === range}
              onClick={() => navigate(hrefWith({ trends: each }), 'replace')}
            >
              {words.ranges[each]}
            </button>
          ))}
        </fieldset>
      </header>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {data === undefined && !error && <span className="skeleton trend-skeleton" />}
      {data && (
        <TrendsView
          key={range}
          trends={withNow(data, now)}
          address={station.address}
          isOneDay={range === '24h'}
        />
      )}
    </section>
  );
}

interface TrendsViewProps {
  readonly trends: Trends;
  readonly address: StationAddress;
  readonly isOneDay: boolean;
}

function TrendsView({ trends, address, isOneDay }: TrendsViewProps) {
  const { trends: words, resource } = useMessages();
  const [kept, setKept] = useState<string>();
  const [pointed, setPointed] = useState<number>();
  const [hasTable, setTable] = useState(false);
  const describe = useDescription(trends.step);
  const { points, step } = trends;
  const found = kept === undefined ? -1 : points.findIndex(({ time }) => time === kept);
  const chosen = found === -1 ? points.length - 1 : found;
  const shown = points[Math.min(pointed ?? chosen, points.length - 1)]!;
  const hrefOf = ({ time }: TrendPoint) => {
    const fromMs = Date.parse(time);
    return changesHref(address, { range: { fromMs, toMs: fromMs + stepMsOf(step) } });
  };
  return (
    <>
      {points.every(({ hours }) => hours === 0) && <p className="quiet">{words.nothingYet}</p>}
      <figure className="trend-figure">
        <TrendChart
          trends={trends}
          isOneDay={isOneDay}
          chosen={chosen}
          describe={(point) => describe(point).join(', ')}
          onChoose={(at) => setKept(points[at]?.time)}
          onPoint={setPointed}
        />
        <figcaption>
          <Legend {...trends} />
          <Peak trends={trends} onChoose={({ time }) => setKept(time)} />
          <p className="trend-readout" title={formatBoth(Date.parse(shown.time))}>
            {describe(shown).map((part, at) => (
              <span key={at} className={at === 0 ? 'strong' : undefined}>
                {part}
              </span>
            ))}
            {shown.hours > 0 && <Link href={hrefOf(shown)}>{words.changes}</Link>}
          </p>
          <p className="quiet">
            {resource.zone(step === 'day' ? 'UTC' : formatZone(Date.parse(shown.time)))}
          </p>
        </figcaption>
      </figure>
      <button
        type="button"
        className="text-button trend-toggle"
        aria-expanded={hasTable}
        onClick={() => setTable(!hasTable)}
      >
        {hasTable ? words.hideTable : words.showTable}
      </button>
      {hasTable && <TrendTable trends={trends} hrefOf={hrefOf} />}
    </>
  );
}

function Legend({ points, step }: Trends) {
  const { trends: words, states, station } = useMessages();
  const names = { ...states, other: words.otherStates };
  return (
    <div className="trend-legend">
      <ul>
        <li className="quiet">{words.firing}</li>
        <li>
          <span className="swatch fill-firing" aria-hidden="true" /> {words.last[step]}
        </li>
        <li>
          <span className="swatch fill-firing-peak" aria-hidden="true" /> {words.most[step]}
        </li>
      </ul>
      <ul>
        <li className="quiet">{words.rest[step]}</li>
        {shownTones(points)
          .filter((tone) => tone !== 'firing')
          .map((tone) => (
            <li key={tone}>
              <span className={`swatch fill-${tone}`} aria-hidden="true" /> {names[tone]}
            </li>
          ))}
      </ul>
      <ul>
        <li className="quiet">{words.coverage}</li>
        <li>
          <span className="swatch fill-covered" aria-hidden="true" /> {words.covered}
        </li>
        <li>
          <span className="swatch fill-uncovered" aria-hidden="true" /> {station.uncovered}
        </li>
      </ul>
      <ul>
        <li title={words.noDataHelp}>
          <span className="swatch trend-hatch" aria-hidden="true" /> {words.noData}
        </li>
      </ul>
    </div>
  );
}

interface PeakProps {
  readonly trends: Trends;
  readonly onChoose: (point: TrendPoint) => void;
}

/** When the most were firing, which one bar among hundreds does not tell. */
function Peak({ trends: { points, step }, onChoose }: PeakProps) {
  const { trends: words } = useMessages();
  const { language } = usePreferences();
  const point = peakOf(points);
  if (point === undefined) return null;
  const most = formatCount(byTone(point.peaks!).firing, language);
  return (
    <button type="button" className="text-button trend-peak" onClick={() => onChoose(point)}>
      {words.peakAt(most, formatSpan(point, point, step, language))}
    </button>
  );
}

/** A point in words. */
function useDescription(step: Trends['step']): (point: TrendPoint) => string[] {
  const { trends: words, states } = useMessages();
  const { language } = usePreferences();
  const count = (value: number) => formatCount(value, language);
  const knownPart = ({ time, hours }: TrendPoint) => {
    const passedMs = Date.now() - Date.parse(time);
    const passed = Math.min(stepMsOf(step), passedMs);
    const soFar = passedMs < stepMsOf(step) ? [words.soFar] : [];
    const all = Math.ceil(passed / stepMsOf('hour'));
    return hours < all ? [words.partly(count(hours), count(all)), ...soFar] : soFar;
  };
  return (point) => {
    const time = formatSpan(point, point, step, language);
    const isNow = Date.now() < Date.parse(point.time) + stepMsOf(step);
    if (point.hours === 0) return [time, isNow ? words.notYet : words.noDataHelp];
    const [last, most] = [byTone(point.states!), byTone(point.peaks!)];
    const names = { ...states, other: words.otherStates };
    const alerts = shownTones([point]).map((tone) =>
      words.figure(names[tone], count(last[tone]), count(most[tone])),
    );
    const coverage = words.withoutRules(
      count(point.uncovered!),
      count(point.alertable!),
      formatShare(point.covered!, point.alertable!),
    );
    return [time, ...knownPart(point), ...alerts, coverage];
  };
}
