import { type StationAddress, stationKey } from '@roster/contract';
import type { ClientBase } from 'pg';
import { hasLostTail, type KnownStation, type KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';
import { addressKey, stationKeyOf } from './station-address-key.ts';

export interface HeadAnswers {
  /** By their keys; stations that do not exist are left out. */
  readonly stations: ReadonlyMap<string, KnownStation>;
  /** Of the same state of the database. */
  readonly catalogRevision: number;
}

type Addresses = ReadonlyMap<string, StationAddress>;

/** Asks where stations are. Those that fell behind what was known of them go on in a new epoch first. */
export async function askHeads(
  client: ClientBase,
  addresses: Addresses,
  known: KnownStations,
): Promise<HeadAnswers> {
  for (;;) {
    // Looked up before the question is sent: what was seen by then must be part of the answer.
    const before = knownOf(addresses, known);
    const values = [Array.from(addresses.values(), addressKey)];
    const { rows } = await client.query<AnswerRow>({ ...headsQuery, values });
    const stations = toStations(rows, addresses);
    const lost = before.filter((station) => hasLost(station, stations));
    if (lost.length === 0) {
      for (const station of stations.values()) known.note(station);
      for (const station of before) if (!stations.has(stationKey(station.address))) known.forget(station);
      return { stations, catalogRevision: rows[0]!.catalog };
    }
    await renewLostEpochs(client, lost);
    for (const station of lost) known.forget(station);
  }
}

interface AnswerRow {
  readonly catalog: number;
  readonly address: Buffer | null;
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly rev_id: string;
}

const headsQuery = {
  name: 'heads',
  text: `
    SELECT m.value::bigint AS catalog, s.address, s.id, s.epoch, s.revision, s.rev_id
    FROM meta m LEFT JOIN stations s ON s.address = ANY($1::bytea[])
    WHERE m.key = 'catalog_revision'`,
};

function knownOf(addresses: Addresses, known: KnownStations): KnownStation[] {
  const stations = Array.from(addresses.values(), (address) => known.get(address));
  return stations.filter((station) => station !== undefined);
}

function toStations(rows: readonly AnswerRow[], addresses: Addresses): Map<string, KnownStation> {
  const stations = new Map<string, KnownStation>();
  for (const { address, id, epoch, revision, rev_id } of rows) {
    if (address === null) continue;
    const key = stationKeyOf(address);
    const head = { epoch, number: revision, revId: rev_id };
    stations.set(key, { id, address: addresses.get(key)!, head });
  }
  return stations;
}

function hasLost({ id, address, head }: KnownStation, stations: HeadAnswers['stations']): boolean {
  const answer = stations.get(stationKey(address));
  return answer?.id === id && hasLostTail(head, answer.head);
}
