import type { PastChange } from '@roster/client';
import { stateTone } from '../../../format/state.ts';
import { isIn } from './revision-order.ts';

/** What has become of a resource: it fires now, it no longer does, or something else about it is new. */
export type Turn = 'firing' | 'resolved' | 'other';

export interface ChangeTally {
  /** Resources that have changed. */
  readonly count: number;
  readonly firing: number;
  readonly resolved: number;
}

interface Step {
  readonly revision: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A resource that changes all the time must not fill the memory. */
const mostSteps = 8;

const joined = ({ before }: Step, { revision, after }: Step): Step => ({ revision, before, after });

/** The changes of a view that are not on the screen yet, by resource. */
export class ViewChanges {
  readonly #steps = new Map<string, Step[]>();

  add(changes: readonly PastChange[]): void {
    for (const change of changes) {
      const steps = this.#steps.get(change.resource_id);
      if (steps === undefined) this.#steps.set(change.resource_id, [stepOf(change)]);
      else {
        steps.push(stepOf(change));
        if (steps.length > mostSteps) steps.splice(0, 2, joined(steps[0]!, steps[1]!));
      }
    }
  }

  /** Forgets what a snapshot contains, and returns how each of these resources has turned. */
  takeUpTo(snapshot: string): Map<string, Turn> {
    const taken = new Map<string, Turn>();
    for (const [id, steps] of this.#steps) {
      const shown = steps.filter(({ revision }) => isIn(revision, snapshot));
      if (shown.length === 0) continue;
      taken.set(id, turnOf(shown));
      if (shown.length === steps.length) this.#steps.delete(id);
      else this.#steps.set(id, steps.slice(shown.length));
    }
    return taken;
  }

  tally(): ChangeTally {
    const turns = [...this.#steps.values()].map(turnOf);
    const count = (turn: Turn) => turns.filter((each) => each === turn).length;
    return { count: turns.length, firing: count('firing'), resolved: count('resolved') };
  }
}

function stepOf({ change, revision, resource, fields }: PastChange): Step {
  if (change === 'created') return { revision, before: undefined, after: resource.state };
  if (change === 'removed') return { revision, before: resource.state, after: undefined };
  const before = fields?.state?.before;
  return { revision, before: typeof before === 'string' ? before : resource.state, after: resource.state };
}

/** How one change has turned its resource. */
export function turnOfChange(change: PastChange): Turn {
  return turnOf([stepOf(change)]);
}

function turnOf(steps: readonly Step[]): Turn {
  return turnBetween(steps[0]!.before, steps.at(-1)!.after);
}

/** Undefined where there is no resource. What was removed or silenced while it fired has not been resolved. */
export function turnBetween(before: string | undefined, after: string | undefined): Turn {
  const toneOf = (state: string | undefined) => (state === undefined ? undefined : stateTone(state));
  const wasFiring = toneOf(before) === 'firing';
  if (toneOf(after) === 'firing') return wasFiring ? 'other' : 'firing';
  return wasFiring && toneOf(after) === 'inactive' ? 'resolved' : 'other';
}
