export type StateTone = 'firing' | 'pending' | 'inactive' | 'other';

const tones: Readonly<Record<string, StateTone>> = {
  ALERTSTATE_FIRING: 'firing',
  ALERTSTATE_PENDING: 'pending',
  ALERTSTATE_INACTIVE: 'inactive',
};
const order: readonly StateTone[] = ['firing', 'pending', 'other', 'inactive'];

/** The set of states is open, so every one that is not known is shown alike. */
export function stateTone(state: string): StateTone {
  return tones[state] ?? 'other';
}

/** What is most urgent first. */
export function sortedStates(states: Readonly<Record<string, number>>): [state: string, count: number][] {
  const rank = (state: string) => order.indexOf(stateTone(state));
  return Object.entries(states).toSorted(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** `ALERTSTATE_NO_DATA` as people say it: No data. */
export function humanState(state: string): string {
  const words = state
    .replace(/^ALERTSTATE_/, '')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim();
  return words === '' ? state : words[0]!.toUpperCase() + words.slice(1);
}
