import { currentEntry } from './location.ts';

/** Where the reader of a list was. */
export interface ListPlace {
  readonly scrollTop: number;
  /** The row that the keyboard acts on. */
  readonly active: number;
}

/** By step of the history, so that going back returns there. */
const places = new Map<string, ListPlace>();
const mostKept = 200;

/** `entry` is the step at which the place was seen: the reader may have gone on since. */
export function rememberPlace(entry: string, place: ListPlace): void {
  places.delete(entry);
  places.set(entry, place);
  const [oldest] = places.keys();
  if (places.size > mostKept && oldest !== undefined) places.delete(oldest);
}

export function recallPlace(): ListPlace {
  return places.get(currentEntry()) ?? { scrollTop: 0, active: 0 };
}
