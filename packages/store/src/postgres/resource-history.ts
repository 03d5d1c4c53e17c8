import type { Resource } from '@roster/contract';
import type { ClientBase } from 'pg';
import {
  changesBetween,
  type PastVersion,
  type PlacedChange,
  type StretchOfResource,
  versionsFor,
} from '../shared/resource-changes.ts';
import { resourceColumns } from '../shared/resource-columns.ts';
import { toResource } from './resource-columns.ts';
import { isStorable } from './station-address-key.ts';

/** The changes of one resource that follow a place. */
export async function readResourceHistory(
  client: ClientBase,
  stretch: StretchOfResource,
): Promise<PlacedChange<Resource>[]> {
  if (!isStorable(stretch.resourceId)) return [];
  return changesBetween(await readVersions(client, stretch), stretch);
}

async function readVersions(
  client: ClientBase,
  { stationId, resourceId, after, limit }: StretchOfResource,
): Promise<PastVersion<Resource>[]> {
  const values = [stationId, resourceId, after.revision, versionsFor(limit)];
  const { rows } = await client.query<[number, number, number | null, boolean, ...unknown[]]>({
    text: versionsSql,
    values,
    rowMode: 'array',
  });
  return rows.map((row) => {
    const [id, revision, until, wasRemoved] = row;
    return { id, revision, until, wasRemoved, version: toResource(row, 4) };
  });
}

const versionsSql = `
  (SELECT id, revision, until_revision AS until, removed, ${resourceColumns}
   FROM past_versions
   WHERE station_id = $1 AND resource_id = $2 AND until_revision >= $3
   ORDER BY until_revision
   LIMIT $4)
  UNION ALL
  (SELECT id, revision, NULL, false, ${resourceColumns}
   FROM resources WHERE station_id = $1 AND resource_id = $2)
  ORDER BY until NULLS LAST
`;
