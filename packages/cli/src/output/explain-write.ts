import type { WriteResult } from '@roster/client';
import { plural } from '../terminal/format-numbers.ts';

/** What a write leaves to the sources of the station, as a sentence; empty if nothing. */
export function explainLeftAlone({ left_alone }: Pick<WriteResult, 'left_alone'>): string {
  if (left_alone === undefined) return '';
  const { fields, records, sources } = left_alone;
  return `left alone in ${plural(records, 'record')}: ${fields.join(', ')}; set by ${sources.length === 1 ? 'the source' : 'the sources'} ${sources.join(', ')}`;
}

/** The types and states that a write introduces. An older server does not tell. */
export async function explainNews({ new_types, new_states }: Partial<WriteResult>): Promise<string[]> {
  const news = [
    ['new types', new_types ?? []],
    ['new states', await Promise.all((new_states ?? []).map(withNearest))],
  ] as const;
  return news
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.join(', ')}`);
}

async function withNearest(state: string): Promise<string> {
  const { nearestState } = await import('@roster/contract');
  const nearest = nearestState(state);
  return nearest === undefined ? state : `${state} (did you mean ${nearest}?)`;
}
