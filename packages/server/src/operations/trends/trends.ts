import {
  limits,
  parseTrendsQuery,
  RosterError,
  type TrendsQuery,
  trendSteps,
  type WireTypes,
} from '@roster/contract';
import type { TrendHour } from '@roster/engine';
import type { Handlers } from '../../http/answer.ts';
import type { OperationOptions } from '../operation-options.ts';

export function trendOperations({ store, heavyReads }: OperationOptions): Pick<Handlers, 'readTrends'> {
  return {
    async readTrends(exchange) {
      const query = parseTrendsQuery(exchange.search, Date.now());
      const read = heavyReads.begin(exchange);
      const { fromMs, toMs } = query;
      const hours = await read.ask(() => store.trends.read(exchange.address!, fromMs, toMs));
      const points = toPoints(hours, query);
      refuseTooMany(points);
      return { body: { step: query.step, points } };
    },
  };
}

/** Stations may have any number of states. */
function refuseTooMany(points: readonly WireTypes['TrendPoint'][]): void {
  const count = (figures: object | null) => Object.keys(figures ?? {}).length;
  const figures = points.reduce((sum, { states, peaks }) => sum + count(states) + count(peaks), 0);
  if (figures <= limits.maxTrendFigures) return;
  throw new RosterError(
    'invalid_parameter',
    `the station had so many states that this range has ${figures} figures, more than ${limits.maxTrendFigures}; ask for a shorter range`,
    { parameter: 'after' },
  );
}

/** A point for each step of the query. */
export function toPoints(
  hours: readonly TrendHour[],
  { step, fromMs, toMs }: TrendsQuery,
): WireTypes['TrendPoint'][] {
  const stepMs = trendSteps[step];
  const byStep = Map.groupBy(hours, ({ startMs }) => Math.floor(startMs / stepMs) * stepMs);
  const points: WireTypes['TrendPoint'][] = [];
  for (let ms = fromMs; ms < toMs; ms += stepMs) points.push(toPoint(ms, byStep.get(ms) ?? []));
  return points;
}

function toPoint(ms: number, hours: readonly TrendHour[]): WireTypes['TrendPoint'] {
  const time = new Date(ms).toISOString();
  const last = hours.at(-1)?.counts;
  if (last === undefined) {
    const unknown = { total: null, alertable: null, covered: null, uncovered: null };
    return { time, hours: 0, ...unknown, states: null, peaks: null };
  }
  const { resources: total, alertable, uncovered, byState: states } = last;
  const covered = alertable - uncovered;
  const peaks = highest(hours);
  return { time, hours: hours.length, total, alertable, covered, uncovered, states, peaks };
}

function highest(hours: readonly TrendHour[]): Record<string, number> {
  const peaks: Record<string, number> = {};
  for (const hour of hours) {
    for (const [state, count] of Object.entries(hour.peaks))
      peaks[state] = Math.max(peaks[state] ?? 0, count);
  }
  return peaks;
}
