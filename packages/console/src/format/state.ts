export type StateTone = 'firing' | 'pending' | 'other' | 'suppressed' | 'inactive';

const tones: Readonly<Record<string, StateTone>> = {
  ALERTSTATE_FIRING: 'firing',
  ALERTSTATE_PENDING: 'pending',
  ALERTSTATE_SUPPRESSED: 'suppressed',
  ALERTSTATE_INACTIVE: 'inactive',
};
const order: readonly StateTone[] = ['firing', 'pending', 'other', 'suppressed', 'inactive'];

/** The set of states is open: all unknown ones look alike. */
export function stateTone(state: string): StateTone {
  return tones[state] ?? 'other';
}

const prefix = /^ALERTSTATE_/;

/** `ALERTSTATE_FIRING` as `firing`, which the server takes as a filter. */
export function shortState(state: string): string {
  return state.replace(prefix, '').toLowerCase();
}

/** Undoes `shortState`. */
export function fullState(state: string): string {
  return prefix.test(state) ? state : `ALERTSTATE_${state.toUpperCase()}`;
}

/** Most urgent first; those that nobody knows by urgency, largest first. */
export function sortedStates(states: Readonly<Record<string, number>>): [state: string, count: number][] {
  const rank = (state: string) => order.indexOf(stateTone(state));
  return Object.entries(states).toSorted(
    ([a], [b]) => rank(a) - rank(b) || states[b]! - states[a]! || (a < b ? -1 : 1),
  );
}

/** How many resources are in states that nobody knows. */
export function countOthers(states: Readonly<Record<string, number>>): number {
  return Object.entries(states).reduce(
    (sum, [state, count]) => (stateTone(state) === 'other' ? sum + count : sum),
    0,
  );
}

/** `ALERTSTATE_NO_DATA` becomes `No data`. */
export function humanState(state: string): string {
  const words = state.replace(prefix, '').replaceAll('_', ' ').toLowerCase().trim();
  return words === '' ? state : words[0]!.toUpperCase() + words.slice(1);
}
