import type { StationData } from '../../dataset/station-data.ts';
import type { RosterServer } from '../../servers/roster-server.ts';
import { importOf, importResources } from '../imports/import-resources.ts';
import type { PlainStore } from './plain-store.ts';
import { StateChanges } from './state-changes.ts';

/** A server and a plain store with the same station, `bench`. */
export interface WritesSubject {
  readonly data: StationData;
  readonly server: RosterServer;
  readonly plain: PlainStore;
  /** What is still to be changed on either. */
  readonly changes: StateChanges;
  readonly plainChanges: StateChanges;
}

export async function fillSubject(
  data: StationData,
  server: RosterServer,
  plain: PlainStore,
): Promise<WritesSubject> {
  await importResources(importOf(data, server, 'bench'));
  await plain.fill(data.resources);
  return { data, server, plain, changes: new StateChanges(data), plainChanges: new StateChanges(data) };
}

/** Runs both in each round, in alternating order. */
export async function alternate(
  rounds: number,
  one: () => Promise<void>,
  other: () => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const slice of round % 2 === 0 ? [one, other] : [other, one]) await slice();
  }
}
