import { resourceDefaults } from '@roster/contract';
import type { Kind } from './rendered-resources.ts';
import type { StationCounts, StationPart } from './store.ts';

export const quietState = resourceDefaults.state;

export function isInPart(part: StationPart, { state, alertable, hasRules }: Kind): boolean {
  if (part === 'all') return true;
  return part === 'alerting' ? state !== quietState : alertable && !hasRules;
}

/** How many resources of a station are in a part. */
export function sizeOfPart(part: StationPart, { resources, uncovered, byState }: StationCounts): number {
  if (part === 'all') return resources;
  return part === 'alerting' ? resources - (byState[quietState] ?? 0) : uncovered;
}
