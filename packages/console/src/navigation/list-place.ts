import { currentEntry } from './location.ts';

/** Where a list was scrolled to in each step of the history, so that going back returns there. */
const positions = new Map<string, number>();
const mostKept = 200;

export function rememberScroll(position: number): void {
  const entry = currentEntry();
  positions.delete(entry);
  positions.set(entry, position);
  const [oldest] = positions.keys();
  if (positions.size > mostKept && oldest !== undefined) positions.delete(oldest);
}

export function recallScroll(): number {
  return positions.get(currentEntry()) ?? 0;
}
