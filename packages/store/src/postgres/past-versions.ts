import type { ClientBase } from 'pg';
import { resourceColumns } from '../shared/resource-columns.ts';
import { resourceColumnsOf } from './resource-columns.ts';

interface EndOfVersions {
  readonly stationId: number;
  /** The revision that changes or removes them. */
  readonly revision: number;
  readonly removed: boolean;
  /** Which resources `r` of the station, as SQL that follows `FROM resources r`. */
  readonly of: string;
  /** The parameters of `of`, from $4 on. */
  readonly values?: readonly unknown[];
}

/** Keeps resources as they are now, right before a write changes or removes them. */
export async function endVersions(client: ClientBase, ended: EndOfVersions): Promise<void> {
  const { stationId, revision, removed, of, values = [] } = ended;
  await client.query(
    `INSERT INTO past_versions (station_id, id, revision, until_revision, removed, ${resourceColumns})
     SELECT r.station_id, r.id, r.revision, $2, $3, ${resourceColumnsOf('r')}
     FROM resources r ${of} AND r.station_id = $1`,
    [stationId, revision, removed, ...values],
  );
}
