import type { WriteResult } from '@roster/client';
import { plural } from '../terminal/format-numbers.ts';

/** What a write leaves to the sources of the station, as a sentence; empty if nothing. */
export function explainLeftAlone({ left_alone }: Pick<WriteResult, 'left_alone'>): string {
  if (left_alone === undefined) return '';
  const { fields, records, sources } = left_alone;
  return `${fields.join(', ')} of ${plural(records, 'record')} left alone: ${sources.join(', ')} provides them`;
}
