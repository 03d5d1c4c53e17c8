import type { Resource } from '@roster/contract';
import type { ClientBase } from 'pg';
import { type HistoryPlace, isAfter, step } from '../shared/history-place.ts';
import { resourceColumns, toResource } from './resource-columns.ts';
import { isStorable } from './station-address-key.ts';
import type { PlacedChange } from './station-history.ts';

interface StretchOfResource {
  readonly stationId: number;
  readonly resourceId: string;
  readonly after: HistoryPlace;
  readonly limit: number;
}

interface Version {
  readonly id: number;
  readonly revision: number;
  /** Null while it is the current one. */
  readonly until: number | null;
  readonly removed: boolean;
  readonly resource: Resource;
}

/** The changes of one resource that follow a place. */
export async function readResourceHistory(
  client: ClientBase,
  stretch: StretchOfResource,
): Promise<PlacedChange[]> {
  if (!isStorable(stretch.resourceId)) return [];
  const changes: PlacedChange[] = [];
  let previous: Version | undefined;
  for (const version of await readVersions(client, stretch)) {
    changes.push(beginning(version, previous));
    if (version.removed) changes.push(removal(version));
    previous = version;
  }
  return changes.filter((change) => isAfter(change, stretch.after)).slice(0, stretch.limit);
}

/** Enough of them for `limit` changes: two may have changed nothing after the place. */
async function readVersions(
  client: ClientBase,
  { stationId, resourceId, after, limit }: StretchOfResource,
): Promise<Version[]> {
  const values = [stationId, resourceId, after.revision, limit + 2];
  const { rows } = await client.query<[number, number, number | null, boolean, ...unknown[]]>({
    text: versionsSql,
    values,
    rowMode: 'array',
  });
  return rows.map((row) => {
    const [id, revision, until, removed] = row;
    return { id, revision, until, removed, resource: toResource(row, 4) };
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

function beginning({ id, revision, resource }: Version, previous: Version | undefined): PlacedChange {
  const before = previous?.until === revision ? previous.resource : undefined;
  return { revision, id, step: step.put, before, after: resource };
}

function removal({ id, until, resource }: Version): PlacedChange {
  return { revision: until!, id, step: step.remove, before: resource, after: undefined };
}
