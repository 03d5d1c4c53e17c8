import { nearestName } from '../nearest-name.ts';
import { usualStates } from './resource.ts';

const [firing] = usualStates;

/** The state that a mistyped one may stand for. The prefix that all states share makes none of them alike. */
export function nearestState(given: string, known: readonly string[] = usualStates): string | undefined {
  // Alertmanager calls firing alerts active, which is too close to inactive.
  const states = new Map([['ACTIVE', firing]]);
  for (const state of known) states.set(withoutPrefix(state), state);
  const nearest = nearestName(withoutPrefix(given), [...states.keys()]);
  return nearest === undefined ? undefined : states.get(nearest);
}

function withoutPrefix(state: string): string {
  return state.replace(/^ALER[A-Z]*_/i, '');
}
