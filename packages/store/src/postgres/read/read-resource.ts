import { type StationAddress, stationNotFound } from '@roster/contract';
import type { StoredResource } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { resourceColumnsOf, toResource } from '../../shared/resource-columns.ts';
import { resourceNotFound } from '../../shared/store-errors.ts';
import { addressKey, isStorable } from '../schema/find-station.ts';
import { isSound } from '../schema/row-checksums.ts';

export async function readResource(
  client: ClientBase,
  address: StationAddress,
  resourceId: string,
): Promise<StoredResource> {
  const values = [addressKey(address), isStorable(resourceId) ? resourceId : null];
  // Without a name, because a plan that was made while the station was small would read all of it.
  const { rows } = await client.query<[string, number, number, string | null, ...unknown[]]>({
    text: resourceSql,
    values,
    rowMode: 'array',
  });
  const row = rows[0];
  if (!row) throw stationNotFound(address);
  const [epoch, number, changedAtMs, changedBy] = row;
  if (number === null) throw resourceNotFound(resourceId);
  return {
    resource: toResource(row, 4),
    revision: { epoch, number },
    changedAtMs,
    changedBy: changedBy ?? undefined,
  };
}

const resourceSql = `
  SELECT s.epoch, r.revision, v.committed_ms, v.changed_by, ${resourceColumnsOf('r')}
  FROM stations s
  LEFT JOIN resources r ON r.station_id = s.id AND r.resource_id = $2 AND ${isSound('resources', 'r')}
  LEFT JOIN revisions v ON v.station_id = s.id AND v.revision = r.revision
  WHERE s.address = $1 AND ${isSound('stations', 's')}
`;
