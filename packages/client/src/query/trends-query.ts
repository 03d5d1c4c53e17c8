import { refuseUnknownMembers } from '../check-argument.ts';
import { mustBe } from './list-query.ts';
import { time } from './search-query.ts';

export interface TrendsQuery {
  /** By default a day before `before`, or 30 days with the step `day`. */
  readonly after?: Date | string | undefined;
  /** Now, unless given. */
  readonly before?: Date | string | undefined;
  /** `hour` unless given. */
  readonly step?: 'hour' | 'day' | undefined;
}

export function encodeTrendsQuery(query: TrendsQuery): URLSearchParams {
  refuseUnknownMembers('the query', query, ['after', 'before', 'step']);
  const { after, before, step } = query;
  const parameters = new URLSearchParams();
  if (after !== undefined) time('after', 'after')(parameters, after, 'comma');
  if (before !== undefined) time('before', 'before')(parameters, before, 'comma');
  if (step !== undefined && step !== 'hour' && step !== 'day') throw mustBe('step', 'hour or day', step);
  if (step !== undefined) parameters.append('step', step);
  return parameters;
}
