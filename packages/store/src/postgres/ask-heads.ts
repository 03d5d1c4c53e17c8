import { type StationAddress, stationKey } from '@roster/contract';
import type { ClientBase } from 'pg';
import { type Heads, queryHeads } from './heads-query.ts';
import { hasLostTail, type KnownStation, type KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';

/** Asks where stations are. Those that fell behind what was known of them go on in a new epoch first. */
export async function askHeads(
  client: ClientBase,
  addresses: readonly StationAddress[],
  known: KnownStations,
): Promise<Heads> {
  for (;;) {
    // Looked up before the question is sent: what was seen by then must be part of the answer.
    const before = addresses.map((address) => known.get(address)).filter((station) => station !== undefined);
    const heads = await queryHeads(client, addresses);
    const { stations } = heads;
    const lost = before.filter((station) => hasLost(station, stations));
    if (lost.length === 0) {
      for (const station of stations.values()) known.note(station);
      for (const station of before) if (!stations.has(stationKey(station.address))) known.forget(station);
      return heads;
    }
    await renewLostEpochs(client, lost);
    for (const station of lost) known.forget(station);
  }
}

function hasLost({ id, address, head }: KnownStation, stations: Heads['stations']): boolean {
  const answer = stations.get(stationKey(address));
  return answer?.id === id && hasLostTail(head, answer.head);
}
