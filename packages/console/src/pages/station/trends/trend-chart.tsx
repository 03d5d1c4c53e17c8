import type { TrendPoint, Trends } from '@roster/client';
import { type CSSProperties, type PointerEvent, useState } from 'react';
import { formatMinute } from '../../../format/clock.ts';
import { formatCount } from '../../../format/format.ts';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { stackedTones, trendShapes } from './trend-shapes.ts';
import { formatTick } from './trend-times.ts';

interface TrendChartProps {
  readonly trends: Trends;
  readonly isOneDay: boolean;
  /** The point that is described beside the picture. */
  readonly chosen: number;
  /** Of any point. */
  readonly describe: (point: TrendPoint) => string;
  readonly onChoose: (at: number) => void;
  /** Undefined when the pointer is elsewhere. */
  readonly onPoint: (at: number | undefined) => void;
}

/** States and coverage over time. Time without data is hatched. */
export function TrendChart({ trends, isOneDay, chosen, describe, onChoose, onPoint }: TrendChartProps) {
  const { trends: words } = useMessages();
  const { language } = usePreferences();
  const [pointed, setPointed] = useState<number>();
  const { points, step } = trends;
  const { known, firing, stacked, covered, uncovered } = trendShapes(points);
  const pointTo = (at: number | undefined) => {
    setPointed(at);
    onPoint(at);
  };
  const follow = ({ nativeEvent: { offsetX }, currentTarget }: PointerEvent<HTMLInputElement>) =>
    pointTo(
      Math.max(
        0,
        Math.min(points.length - 1, Math.floor((offsetX / currentTarget.offsetWidth) * points.length)),
      ),
    );
  const cursor = {
    '--at': (pointed ?? chosen) / points.length,
    '--width': 1 / points.length,
  } as CSSProperties;
  const view = `0 0 ${points.length} 100`;
  return (
    <div className="trend-chart">
      <p className="trend-scale quiet numeric" aria-hidden="true">
        <span>{formatCount(firing.top, language)}</span>
        <span>0</span>
      </p>
      <p className="trend-scale stacked-scale quiet numeric" aria-hidden="true">
        <span>{formatCount(stacked.top, language)}</span>
        <span>0</span>
      </p>
      <p className="trend-scale coverage-scale quiet numeric" aria-hidden="true">
        <span>100%</span>
        <span>0%</span>
      </p>
      <div className="trend-plots" style={cursor}>
        <svg className="trend-plot" viewBox={view} preserveAspectRatio="none" aria-hidden="true">
          <path className="trend-known" d={known} />
          <path className="trend-firing" d={firing.last} />
          <path className="trend-firing-peak" d={firing.peak} />
          <path className="trend-firing" d={firing.mark} />
        </svg>
        <svg className="trend-plot" viewBox={view} preserveAspectRatio="none" aria-hidden="true">
          <path className="trend-known" d={known} />
          {stackedTones.map((tone) => (
            <path key={tone} className={`trend-${tone}`} d={stacked[tone]} />
          ))}
        </svg>
        <svg
          className="trend-plot coverage-plot"
          viewBox={view}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path className="trend-known" d={known} />
          <path className="trend-covered" d={covered} />
          <path className="trend-uncovered" d={uncovered} />
        </svg>
        <input
          type="range"
          min={0}
          max={points.length - 1}
          value={chosen}
          aria-label={words.point}
          aria-valuetext={describe(points[chosen]!)}
          onChange={({ target }) => onChoose(pointed ?? Number(target.value))}
          onKeyDown={() => pointTo(undefined)}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => pointTo(undefined)}
        />
      </div>
      <p className="trend-ticks quiet numeric" aria-hidden="true">
        {ticksOf(points).map((at) => {
          const point = points[at]!;
          const day = !isOneDay || at === 0 ? [formatTick(point, step, language)] : [];
          const hour = isOneDay ? [formatMinute(Date.parse(point.time))] : [];
          return (
            <span key={at} style={{ left: `${(middleOf(at, points.length) / points.length) * 100}%` }}>
              {[...day, ...hour].join(', ')}
            </span>
          );
        })}
      </p>
    </div>
  );
}

const tickCount = 5;

/** Where its text is centred; at the ends, where it begins or ends. */
function middleOf(at: number, count: number): number {
  if (at === 0) return 0;
  return at === count - 1 ? count : at + 0.5;
}

/** The places of some points, evenly apart. */
function ticksOf({ length }: readonly TrendPoint[]): number[] {
  const places = Array.from({ length: tickCount }, (_, at) =>
    Math.round((at * (length - 1)) / (tickCount - 1)),
  );
  return [...new Set(places)];
}
