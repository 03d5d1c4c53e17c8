import { type HistoryPosition, quote, RosterError } from '@roster/contract';

/** Where a change stands in a station's history. A row that goes and one that comes may have the same id. */
export interface HistoryPlace {
  readonly revision: number;
  readonly id: number;
  readonly step: Step;
}

/** In the order in which a revision tells of them. */
export const step = { remove: 0, put: 1 } as const;

type Step = (typeof step)[keyof typeof step];

const everything = { id: Number.MAX_SAFE_INTEGER, step: step.put };

/** The last place that someone at this position has read. */
export function placeOf({ number, within }: HistoryPosition): HistoryPlace {
  if (within === undefined) return { revision: number, ...everything };
  const match = /^([1-9][0-9]{0,15})-([01])$/.exec(within);
  if (!match) {
    throw new RosterError(
      'invalid_parameter',
      `since must be as an earlier page of the history gave it, got ${quote(within)} as its last part`,
      { parameter: 'since' },
    );
  }
  return { revision: number + 1, id: Number(match[1]), step: Number(match[2]) as Step };
}

/** The position of someone who has read up to `last`, and knows of `following`. */
export function positionAfter(epoch: string, last: HistoryPlace, following: HistoryPlace): HistoryPosition {
  if (following.revision > last.revision) return { epoch, number: last.revision };
  return { epoch, number: last.revision - 1, within: `${last.id}-${last.step}` };
}

export function isAfter(one: HistoryPlace, other: HistoryPlace): boolean {
  if (one.revision !== other.revision) return one.revision > other.revision;
  return one.id !== other.id ? one.id > other.id : one.step > other.step;
}
