import type { Resource } from '@roster/contract';
import type { StationCounts } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { DirectWrite, PlannedWrite } from '../../shared/direct/direct-write.ts';
import type { TypeDefaults } from '../../shared/direct/merge-record.ts';
import type { RowChange, StationRows, StoredRow } from '../../shared/direct/station-rows.ts';
import {
  resourceColumnNames,
  resourceColumns,
  resourceColumnsOf,
  toResource,
} from '../../shared/resource-columns.ts';
import { type StationRow, type StoredStation, toStation } from '../../shared/stations.ts';
import { queryOnce } from '../connection/run-transaction.ts';
import { isStorable } from '../schema/find-station.ts';
import { isSound } from '../schema/row-checksums.ts';
import { nowMs } from './advance-revision.ts';

/** The rows of a station that some writes concern, as they change them one after the other. */
export class DirectRows implements StationRows {
  readonly station: StationRow;
  readonly #byId = new Map<string, StoredRow>();
  readonly #byName = new Map<string, StoredRow>();
  readonly #types: ReadonlyMap<string, TypeDefaults>;
  /** Created or removed since they were read. */
  readonly #unsettled = new Set<string>();

  constructor(station: StationRow, rows: readonly StoredRow[], types: ReadonlyMap<string, TypeDefaults>) {
    this.station = station;
    this.#types = types;
    for (const row of rows) this.#put(row);
  }

  byId(resourceId: string): StoredRow | undefined {
    return this.#byId.get(resourceId);
  }

  byName(name: string): StoredRow | undefined {
    return this.#byName.get(name);
  }

  defaultsOf(typeKey: string): TypeDefaults | undefined {
    return this.#types.get(typeKey);
  }

  /** One statement cannot create a row and change it, nor remove one and create it again. */
  canTake({ records, removed }: DirectWrite): boolean {
    if (this.#unsettled.size === 0) return true;
    if (removed !== undefined && this.#unsettled.has(removed)) return false;
    return records.every(({ record }) => !this.#unsettled.has(record.resourceId));
  }

  apply(changes: readonly RowChange[], revision: number): void {
    for (const { before } of changes) {
      if (before === undefined) continue;
      this.#byId.delete(before.resource.resourceId);
      this.#byName.delete(before.resource.name);
    }
    for (const { before, after } of changes) {
      if (after !== undefined) this.#put({ id: before?.id ?? 0, revision, resource: after });
      if (before === undefined || after === undefined) {
        this.#unsettled.add((after ?? before!.resource).resourceId);
      }
    }
  }

  #put(row: StoredRow): void {
    this.#byId.set(row.resource.resourceId, row);
    this.#byName.set(row.resource.name, row);
  }
}

type ReadStation = Omit<StoredStation, 'counts'> & {
  readonly counts: StationCounts;
  readonly rows: readonly (readonly [id: number, revision: number, ...columns: unknown[]])[] | null;
  readonly types: readonly [key: string, product: string, alertable: boolean][] | null;
};

/** Reads all that the writes concern, from one state. Undefined when the station is gone. */
export async function readRows(
  client: ClientBase,
  stationId: number,
  writes: readonly DirectWrite[],
): Promise<DirectRows | undefined> {
  const records = writes.flatMap((write) => write.records.map(({ record }) => record));
  const removed = writes.flatMap((write) => write.removed ?? []).filter(isStorable);
  const ids = new Set([...records.map(({ resourceId }) => resourceId), ...removed]);
  const names = new Set(records.flatMap(({ name }) => name ?? []));
  const types = new Set(records.flatMap(({ typeKey }) => typeKey ?? []));
  const { rows: stations } = await client.query<ReadStation>({
    name: 'direct-read',
    text: readSql,
    values: [stationId, [...ids], [...names], [...types]],
  });
  const [found] = stations;
  if (found === undefined) return undefined;
  return new DirectRows(
    toStation(found),
    (found.rows ?? []).map(([id, revision, ...columns]) => ({ id, revision, resource: toResource(columns) })),
    new Map((found.types ?? []).map(([key, product, alertable]) => [key, { product, alertable }])),
  );
}

/**
 * The offsets keep PostgreSQL from planning it otherwise: it does not know how few rows there are, and may read the whole
 * station.
 */
const readSql = `
  SELECT s.id, s.epoch, s.revision, s.rev_id, s.oldest_revision, s.counts, (
    SELECT json_agg(json_build_array(r.id, r.revision, ${resourceColumnsOf('r')}))
    FROM (
      SELECT x.at FROM unnest($2::text[]) AS given (id), LATERAL (
        SELECT y.ctid AS at FROM resources y WHERE y.station_id = s.id AND y.resource_id = given.id OFFSET 0
      ) x
      UNION
      SELECT x.at FROM unnest($3::text[]) AS given (name), LATERAL (
        SELECT y.ctid AS at FROM resources y WHERE y.station_id = s.id AND y.name = given.name OFFSET 0
      ) x
    ) found, LATERAL (
      SELECT * FROM resources y WHERE y.ctid = found.at AND ${isSound('resources', 'y')} OFFSET 0
    ) r
  ) AS rows, (
    SELECT json_agg(json_build_array(key, product, alertable)) FROM resource_types WHERE key = ANY ($4::text[])
  ) AS types
  FROM stations s WHERE s.id = $1 AND ${isSound('stations', 's')}
`;

/**
 * Writes all revisions in one statement, which is a transaction of its own unless it runs in one. Returns whether it
 * did: false if the station is no longer where it was read, or a type is gone.
 */
export async function writeRevisions(
  client: ClientBase,
  { id, head: before }: StationRow,
  planned: readonly PlannedWrite[],
): Promise<boolean> {
  const { head, counts } = planned.at(-1)!;
  const { ended, changed, created, removed, types } = rowsOf(planned);
  const { rows } = await queryOnce<{ count: number }>(client, {
    name: 'direct-write',
    text: writeSql,
    values: [
      id,
      before.number,
      before.revId,
      before.epoch,
      head.number,
      head.revId,
      JSON.stringify(counts),
      JSON.stringify(ended),
      removed,
      JSON.stringify(changed),
      JSON.stringify(created),
      planned.map((each) => each.head.number),
      planned.map((each) => each.head.revId),
      types,
      planned.map(({ changedBy }) => changedBy ?? null),
    ],
  });
  return rows[0]!.count > 0;
}

type Row = Record<string, string | number | boolean>;

interface RowsToWrite {
  /** Every version that ends. */
  readonly ended: Row[];
  /** The last version of each resource that was there before, and is still. */
  readonly changed: Row[];
  readonly created: Row[];
  /** Ids. */
  readonly removed: string[];
  /** Types that resources now have and did not have before; they must not be deleted meanwhile. */
  readonly types: string[];
}

function rowsOf(planned: readonly PlannedWrite[]): RowsToWrite {
  const ended: Row[] = [];
  const changed = new Map<string, Row>();
  const created: Row[] = [];
  const removed: string[] = [];
  const types = new Set<string>();
  for (const { head, changes } of planned) {
    for (const { before, after } of changes) {
      if (before !== undefined) {
        const versions = { id: before.id, revision: before.revision, until_revision: head.number };
        ended.push({ ...versions, removed: after === undefined, ...toRow(before.resource) });
      }
      if (after !== undefined && after.typeKey !== before?.resource.typeKey) types.add(after.typeKey);
      if (after === undefined) {
        changed.delete(before!.resource.resourceId);
        removed.push(before!.resource.resourceId);
      } else if (before === undefined) created.push({ revision: head.number, ...toRow(after) });
      else changed.set(after.resourceId, { revision: head.number, ...toRow(after) });
    }
  }
  return { ended, changed: [...changed.values()], created, removed, types: [...types] };
}

function toRow(resource: Resource): Row {
  return {
    resource_id: resource.resourceId,
    name: resource.name,
    display_name: resource.displayName,
    type_key: resource.typeKey,
    product: resource.product,
    alertable: resource.alertable,
    state: resource.state,
    sku: resource.sku,
    gpu_model: resource.gpuModel,
    alert_rules_count: resource.alertRulesCount,
    create_time: resource.createTime,
    state_since: resource.stateSinceMs,
    labels: resource.labels,
  };
}

const columnTypes: Readonly<Record<string, string>> = {
  alertable: 'boolean',
  alert_rules_count: 'bigint',
  state_since: 'bigint',
};
const rowType = resourceColumnNames.map((column) => `${column} ${columnTypes[column] ?? 'text'}`).join(', ');
const assignments = resourceColumnNames.slice(1).map((column) => `${column} = u.${column}`);

/**
 * Finds the row of a resource by its id in the station `m`. The offset keeps PostgreSQL from joining it otherwise: it
 * does not know how few rows there are, and would read the whole station.
 */
function rowOf(id: string): string {
  return `LATERAL (
      SELECT x.ctid AS at FROM resources x WHERE x.station_id = m.id AND x.resource_id = ${id}.resource_id OFFSET 0
    )`;
}

/** Its parts see the state before it, and touch different rows. */
const writeSql = `
  WITH used AS (
    SELECT key FROM resource_types WHERE key = ANY ($14::text[]) ORDER BY key FOR KEY SHARE
  ), moved AS (
    UPDATE stations SET revision = $5, rev_id = $6, counts = $7
    WHERE id = $1 AND revision = $2 AND rev_id = $3 AND epoch = $4
      AND (SELECT count(*) FROM used) = cardinality($14::text[])
    RETURNING id
  ), ended AS (
    INSERT INTO past_versions (station_id, id, revision, until_revision, removed, ${resourceColumns})
    SELECT m.id, e.id, e.revision, e.until_revision, e.removed, ${resourceColumnsOf('e')}
    FROM moved m, json_to_recordset($8::json)
      AS e (id bigint, revision bigint, until_revision bigint, removed boolean, ${rowType})
  ), removed AS (
    DELETE FROM resources r
    USING moved m, unnest($9::text[]) AS g (resource_id), ${rowOf('g')} found
    WHERE r.ctid = found.at
  ), changed AS (
    UPDATE resources r SET ${assignments.join(', ')}, revision = u.revision
    FROM moved m, json_to_recordset($10::json) AS u (revision bigint, ${rowType}), ${rowOf('u')} found
    WHERE r.ctid = found.at
  ), created AS (
    INSERT INTO resources (station_id, revision, ${resourceColumns})
    SELECT m.id, c.revision, ${resourceColumnsOf('c')}
    FROM moved m, json_to_recordset($11::json) AS c (revision bigint, ${rowType})
  ), recorded AS (
    INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changed_by)
    SELECT m.id, v.revision, v.rev_id, ${nowMs}, v.changed_by
    FROM moved m, unnest($12::bigint[], $13::text[], $15::text[]) AS v (revision, rev_id, changed_by)
  )
  SELECT count(*) FROM moved
`;
