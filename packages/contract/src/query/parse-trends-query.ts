import { RosterError } from '../errors.ts';
import { limits } from '../limits.ts';
import { parseChoice } from './parse-parameter.ts';
import { QueryParameters } from './query-parameters.ts';
import { rosterParameterNames } from './roster-parameters.ts';
import { parseTime } from './search-query.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export const trendSteps = { hour: hourMs, day: dayMs } as const;
export type TrendStep = keyof typeof trendSteps;

/** How far back the points go without `after`. */
const defaultSpanMs: Record<TrendStep, number> = { hour: dayMs, day: 30 * dayMs };

export interface TrendsQuery {
  readonly step: TrendStep;
  /** The beginning of the first step. */
  readonly fromMs: number;
  /** The end of the last step, at most that of the current one. */
  readonly toMs: number;
}

/** Earlier times cannot be written in RFC 3339. */
const firstMs = Date.parse('0000-01-01T00:00:00Z');

/** Steps begin at full hours or days of UTC; those that `after` and `before` lie in are part of the answer. */
export function parseTrendsQuery(search: string, nowMs: number): TrendsQuery {
  const given = new QueryParameters(search, rosterParameterNames.readTrends);
  const step = parseChoice('step', given.one('step'), Object.keys(trendSteps) as TrendStep[]) ?? 'hour';
  const before = parseTime('before', given.one('before'));
  const after = parseTime('after', given.one('after'));
  if (after !== undefined && before !== undefined && after >= before) {
    throw new RosterError('invalid_parameter', 'after must be earlier than before', { parameter: 'after' });
  }
  const endMs = Math.min(before ?? Number.POSITIVE_INFINITY, nowMs + 1);
  const stepMs = trendSteps[step];
  const fromMs = Math.floor(Math.max(firstMs, after ?? endMs - defaultSpanMs[step]) / stepMs) * stepMs;
  const toMs = Math.ceil(endMs / stepMs) * stepMs;
  const points = (toMs - fromMs) / stepMs;
  if (points > limits.maxTrendPoints) {
    const advice = step === 'hour' ? 'ask for a shorter range, or step=day' : 'ask for a shorter range';
    throw new RosterError(
      'invalid_parameter',
      `trends have at most ${limits.maxTrendPoints} points, but this range has ${points}; ${advice}`,
      { parameter: 'after' },
    );
  }
  return { step, fromMs, toMs };
}
