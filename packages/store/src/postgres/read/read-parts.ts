import type { StationAddress } from '@roster/contract';
import { type PartOfStation, type StationPart, sizeOfPart } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { resourceColumnsOf } from '../../shared/resource-columns.ts';
import { toPart } from '../../shared/station-parts.ts';
import { type StoredStation, stationColumns, toStation } from '../../shared/stations.ts';
import { addressKey } from '../schema/find-station.ts';
import { selectPart } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';

export interface ReadParts {
  readonly parts: readonly PartOfStation[];
  /** Has all types of their resources. */
  readonly catalogRevision: number;
}

/** Runs in the caller's snapshot transaction. */
export async function readParts(
  client: ClientBase,
  addresses: readonly StationAddress[],
  part: StationPart,
): Promise<ReadParts> {
  const { rows: stations } = await client.query<StoredStation & { key: Buffer }>(
    `SELECT ${stationColumns}, address AS key FROM stations WHERE address = ANY($1) AND ${isSound('stations')}`,
    [addresses.map(addressKey)],
  );
  const { rows: resources } = await client.query<[stationId: number, ...columns: unknown[]]>({
    text: selectPart(`r.station_id, ${resourceColumnsOf('r')}`, part, '= ANY($1)'),
    values: [stations.map(({ id }) => id)],
    rowMode: 'array',
  });
  const { rows: meta } = await client.query<{ revision: number }>(
    "SELECT value::bigint AS revision FROM meta WHERE key = 'catalog_revision'",
  );
  const byStation = Map.groupBy(resources, ([id]) => id);
  const addressOf = new Map(addresses.map((address) => [addressKey(address).toString('hex'), address]));
  const parts = stations.map((stored) => {
    const { id, head, counts } = toStation(stored);
    const rows = (byStation.get(id) ?? []).map((row) => row.slice(1));
    const address = addressOf.get(stored.key.toString('hex'))!;
    return toPart({ address, head, size: sizeOfPart(part, counts), rows });
  });
  return { parts, catalogRevision: meta[0]!.revision };
}
