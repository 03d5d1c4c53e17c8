import type { Source } from '@roster/client';

/** What is in doubt about a station, because a source of it does not answer. */
export interface Doubt {
  /** When its sources were last read; undefined if one of them never was, so that no state is known. */
  readonly readAt: string | undefined;
  /** Whether nobody has read its alert rules. */
  readonly areRulesUnread: boolean;
}

/** By the paths of the stations. */
export type Doubts = ReadonlyMap<string, Doubt>;

type Told = Pick<Source, 'kind' | 'stations' | 'health' | 'last_read'>;

export function isSilent({ health }: Pick<Source, 'health'>): boolean {
  return health === 'down';
}

export function doubtsOf(sources: readonly Told[]): Doubts {
  const doubts = new Map<string, Doubt>();
  for (const { kind, stations, last_read } of sources.filter(isSilent)) {
    const readAt = last_read ?? undefined;
    const own = { readAt, areRulesUnread: kind === 'prometheus' && readAt === undefined };
    for (const station of stations) doubts.set(station, worse(own, doubts.get(station) ?? own));
  }
  return doubts;
}

function worse(a: Doubt, b: Doubt): Doubt {
  const isUnread = a.readAt === undefined || b.readAt === undefined;
  return {
    readAt: isUnread ? undefined : [a.readAt!, b.readAt!].toSorted()[0],
    areRulesUnread: a.areRulesUnread || b.areRulesUnread,
  };
}
