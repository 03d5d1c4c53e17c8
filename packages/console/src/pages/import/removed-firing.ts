import type { Plan } from '@roster/client';
import { stateTone } from '../../format/state.ts';

export interface RemovedFiring {
  readonly firing: number;
  /** Whether the plan lists all that it removes, so that there are no more. */
  readonly isComplete: boolean;
}

/** How many of the resources that a plan removes are firing, as far as it lists them. */
export function removedFiring({ changes, removed }: Pick<Plan, 'changes' | 'removed'>): RemovedFiring {
  const listed = changes.filter(({ change }) => change === 'removed');
  return {
    firing: listed.filter(({ resource }) => stateTone(resource.state) === 'firing').length,
    isComplete: listed.length === removed,
  };
}
