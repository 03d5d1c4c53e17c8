import { type StationAddress, stationKey } from '@roster/contract';
import type { ClientBase } from 'pg';
import { type HeadRow, queryHeads } from './heads-query.ts';
import { hasLostTail, type KnownStation, type KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';

export interface HeadAnswers {
  /** By their keys; stations that do not exist are left out. */
  readonly stations: ReadonlyMap<string, KnownStation>;
  /** Of the same state of the database, or a later one. */
  readonly catalogRevision: number;
}

/** Asks where stations are. Those that fell behind what was known of them go on in a new epoch first. */
export async function askHeads(
  client: ClientBase,
  addresses: readonly StationAddress[],
  known: KnownStations,
): Promise<HeadAnswers> {
  for (;;) {
    // Looked up before the question is sent: what was seen by then must be part of the answer.
    const before = addresses.map((address) => known.get(address)).filter((station) => station !== undefined);
    const heads = await queryHeads(client, addresses);
    const stations = toStations(heads.stations, addresses);
    const lost = before.filter((station) => hasLost(station, stations));
    if (lost.length === 0) {
      for (const station of stations.values()) known.note(station);
      for (const station of before) if (!stations.has(stationKey(station.address))) known.forget(station);
      return { stations, catalogRevision: heads.catalogRevision };
    }
    await renewLostEpochs(client, lost);
    for (const station of lost) known.forget(station);
  }
}

function toStations(rows: readonly HeadRow[], asked: readonly StationAddress[]): Map<string, KnownStation> {
  const stations = new Map<string, KnownStation>();
  for (const { place, id, epoch, revision, revId } of rows) {
    const address = asked[place]!;
    stations.set(stationKey(address), { id, address, head: { epoch, number: revision, revId } });
  }
  return stations;
}

function hasLost({ id, address, head }: KnownStation, stations: HeadAnswers['stations']): boolean {
  const answer = stations.get(stationKey(address));
  return answer?.id === id && hasLostTail(head, answer.head);
}
