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
import { isAlerting } from '../schema/resource-columns.ts';
import { isSound } from '../schema/row-checksums.ts';
import { nowMs } from './advance-revision.ts';
import { noteSize, planName } from './kept-plans.ts';

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

/** Writes to one station that are committed together. */
export interface StationWrites {
  readonly stationId: number;
  readonly writes: readonly DirectWrite[];
}

type ReadStation = Omit<StoredStation, 'counts'> & {
  readonly counts: StationCounts;
  readonly rows: readonly (readonly [id: number, revision: number, ...columns: unknown[]])[] | null;
  readonly types: readonly [key: string, product: string, alertable: boolean][] | null;
};

/** Reads all that the writes concern, from one state, by the id of the station. Stations that are gone are left out. */
export async function readRows(
  client: ClientBase,
  stations: readonly StationWrites[],
): Promise<Map<number, DirectRows>> {
  const types = new Set<string>();
  const given = stations.map(({ stationId, writes }) => {
    const records = writes.flatMap((write) => write.records.map(({ record }) => record));
    const removed = writes.flatMap((write) => write.removed ?? []).filter(isStorable);
    for (const { typeKey } of records) if (typeKey !== undefined) types.add(typeKey);
    const ids = new Set([...records.map(({ resourceId }) => resourceId), ...removed]);
    const names = new Set(records.flatMap(({ name }) => name ?? []));
    return { id: stationId, ids: [...ids], names: [...names] };
  });
  const { rows } = await client.query<ReadStation>({
    name: planName(client, 'direct-read'),
    text: readSql,
    values: [JSON.stringify(given), JSON.stringify([...types])],
  });
  const read = rows.map(toDirectRows);
  for (const { station } of read) noteSize(client, station.counts.resources);
  return new Map(read.map((each) => [each.station.id, each]));
}

function toDirectRows(found: ReadStation): DirectRows {
  return new DirectRows(
    toStation(found),
    (found.rows ?? []).map(([id, revision, ...columns]) => ({ id, revision, resource: toResource(columns) })),
    new Map((found.types ?? []).map(([key, product, alertable]) => [key, { product, alertable }])),
  );
}

/**
 * Rows found both by id and by name come twice. The offsets keep PostgreSQL from planning it otherwise: it does not
 * know how few rows there are, and may read the whole station. Everything given is JSON, of which it expects the same
 * whatever it holds, so that it stops planning after a few executions; planning takes longer than reading a row.
 */
const readSql = `
  SELECT s.id, s.epoch, s.revision, s.rev_id, s.oldest_revision, s.counts, (
    SELECT json_agg(json_build_array(r.id, r.revision, ${resourceColumnsOf('r')}))
    FROM (
      SELECT x.* FROM json_array_elements_text(g.ids) AS given (id), LATERAL (
        SELECT * FROM resources y
        WHERE y.station_id = s.id AND y.resource_id = given.id AND ${isSound('resources', 'y')} OFFSET 0
      ) x
      UNION ALL
      SELECT x.* FROM json_array_elements_text(g.names) AS given (name), LATERAL (
        SELECT * FROM resources y
        WHERE y.station_id = s.id AND y.name = given.name AND ${isSound('resources', 'y')} OFFSET 0
      ) x
    ) r
  ) AS rows, (
    SELECT json_agg(json_build_array(t.key, t.product, t.alertable))
    FROM json_array_elements_text($2::json) AS given (key) JOIN resource_types t ON t.key = given.key
  ) AS types
  FROM json_to_recordset($1::json) AS g (id bigint, ids json, names json), LATERAL (
    SELECT * FROM stations x WHERE x.id = g.id AND ${isSound('stations', 'x')} OFFSET 0
  ) s
`;

/** What writes do to a station that was at `before`. */
export interface PlannedStation {
  readonly before: StationRow;
  /** At least one. */
  readonly planned: readonly PlannedWrite[];
}

/**
 * Writes all revisions of all stations in one statement, which is a transaction of its own unless it runs in one. It
 * leaves out stations that are no longer where they were read or that somebody has locked, and all of them if a type is
 * gone or being deleted. Returns the ids of those it wrote.
 */
export async function writeRevisions(
  client: ClientBase,
  stations: readonly PlannedStation[],
): Promise<Set<number>> {
  const { touched, between, created, types } = rowsOf(stations);
  const moves = stations.map(({ before: { id, head: from }, planned }) => {
    const { head, counts } = planned.at(-1)!;
    const { number: from_revision, revId: from_rev_id, epoch } = from;
    return { id, epoch, from_revision, from_rev_id, revision: head.number, rev_id: head.revId, counts };
  });
  const revisions = stations.flatMap(({ before, planned }) =>
    planned.map(({ head, changedBy }) => {
      return { station_id: before.id, revision: head.number, rev_id: head.revId, changed_by: changedBy };
    }),
  );
  const { rows } = await queryOnce<{ id: number }>(client, {
    name: planName(client, 'direct-write'),
    text: writeSql,
    values: [moves, touched, between, created, revisions, types].map((rows) => JSON.stringify(rows)),
  });
  return new Set(rows.map(({ id }) => id));
}

type Row = Record<string, string | number | boolean>;

/** A stored row that changes: what is missing stays as it is. */
interface TouchedRow extends Row {
  readonly station_id: number;
  readonly resource_id: string;
  /** The revision that ends the stored version. */
  readonly until_revision: number;
  /** Whether that revision removes the resource. */
  readonly removed: boolean;
  /** Whether the resource is removed in the end. */
  gone: boolean;
  /** That of the last version. */
  revision: number;
}

interface RowsToWrite {
  readonly touched: TouchedRow[];
  /** Versions that begin and end within the commit. */
  readonly between: Row[];
  readonly created: Row[];
  /** Types that resources now have and did not have before; they must not be deleted meanwhile. */
  readonly types: string[];
}

function rowsOf(stations: readonly PlannedStation[]): RowsToWrite {
  const rows: RowsToWrite = { touched: [], between: [], created: [], types: [] };
  const types = new Set<string>();
  for (const { before: station, planned } of stations) {
    const byId = new Map<string, TouchedRow>();
    for (const { head, changes } of planned) {
      for (const change of changes) {
        addChange(rows, byId, { stationId: station.id, revision: head.number, ...change });
        const { before, after } = change;
        if (after !== undefined && after.typeKey !== before?.resource.typeKey) types.add(after.typeKey);
      }
    }
  }
  rows.types.push(...types);
  return rows;
}

function addChange(
  { touched, between, created }: RowsToWrite,
  byId: Map<string, TouchedRow>,
  { stationId, revision, before, after }: RowChange & { stationId: number; revision: number },
): void {
  const removed = after === undefined;
  if (before === undefined) {
    created.push({ station_id: stationId, revision, ...toRow(after!) });
    return;
  }
  const { resourceId } = before.resource;
  let row = byId.get(resourceId);
  if (row === undefined) {
    row = {
      station_id: stationId,
      resource_id: resourceId,
      until_revision: revision,
      removed,
      gone: removed,
      revision,
    };
    byId.set(resourceId, row);
    touched.push(row);
  } else {
    const version = { id: before.id, revision: before.revision, until_revision: revision, removed };
    between.push({ station_id: stationId, ...version, ...toRow(before.resource) });
  }
  row.gone = removed;
  row.revision = revision;
  if (!removed) Object.assign(row, differing(toRow(before.resource), toRow(after)));
}

function differing(before: Row, after: Row): Row {
  return Object.fromEntries(Object.entries(after).filter(([column, value]) => value !== before[column]));
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
const assignments = resourceColumnNames
  .slice(1)
  .map((column) => `${column} = coalesce(t.${column}, r.${column})`);

/** Its parts see the state before it, and touch different rows. Offsets and JSON as in `readSql`. */
const writeSql = `
  WITH given AS MATERIALIZED (
    SELECT key FROM json_array_elements_text($6::json) AS given (key)
  ), used AS (
    SELECT key FROM resource_types WHERE key IN (SELECT key FROM given) ORDER BY key FOR KEY SHARE SKIP LOCKED
  ), free AS MATERIALIZED (
    SELECT s.id, w.revision, w.rev_id, w.counts
    FROM json_to_recordset($1::json) AS w (
      id bigint, epoch text, from_revision bigint, from_rev_id text, revision bigint, rev_id text, counts jsonb
    ) JOIN stations s ON s.id = w.id AND s.revision = w.from_revision AND s.rev_id = w.from_rev_id AND s.epoch = w.epoch
    WHERE (SELECT count(*) FROM used) = (SELECT count(*) FROM given)
    FOR NO KEY UPDATE OF s SKIP LOCKED
  ), moved AS (
    UPDATE stations s SET revision = free.revision, rev_id = free.rev_id, counts = free.counts
    FROM free WHERE s.id = free.id
    RETURNING s.id
  ), touched AS MATERIALIZED (
    SELECT t.*, found.at, found.created_revision
    FROM moved m
    JOIN json_to_recordset($2::json) AS t (
      station_id bigint, until_revision bigint, removed boolean, gone boolean, revision bigint, ${rowType}
    ) ON t.station_id = m.id, LATERAL (
      SELECT x.ctid AS at, x.created_revision
      FROM resources x WHERE x.station_id = m.id AND x.resource_id = t.resource_id OFFSET 0
    ) found
  ), ended AS (
    INSERT INTO past_versions
      (station_id, id, revision, created_revision, until_revision, removed, ${resourceColumns})
    SELECT t.station_id, r.id, r.revision, r.created_revision, t.until_revision, t.removed, ${resourceColumnsOf('r')}
    FROM touched t, LATERAL (SELECT * FROM resources x WHERE x.ctid = t.at OFFSET 0) r
    UNION ALL
    SELECT t.station_id, b.id, b.revision, t.created_revision, b.until_revision, b.removed, ${resourceColumnsOf('b')}
    FROM touched t
    JOIN json_to_recordset($3::json) AS b (
      station_id bigint, id bigint, revision bigint, until_revision bigint, removed boolean, ${rowType}
    ) ON b.station_id = t.station_id AND b.resource_id = t.resource_id
  ), removed AS (
    DELETE FROM resources r USING touched t WHERE t.gone AND r.ctid = t.at
  ), changed AS (
    UPDATE resources r SET ${assignments.join(', ')}, revision = t.revision
    FROM touched t WHERE NOT t.gone AND r.ctid = t.at
  ), created AS (
    INSERT INTO resources (station_id, revision, created_revision, ${resourceColumns})
    SELECT m.id, c.revision, c.revision, ${resourceColumnsOf('c')}
    FROM moved m JOIN json_to_recordset($4::json) AS c (station_id bigint, revision bigint, ${rowType})
      ON c.station_id = m.id
    RETURNING station_id, resource_id, state
  ), alerted AS (
    INSERT INTO alerting (station_id, resource_id)
    SELECT station_id, resource_id FROM touched WHERE NOT gone AND ${isAlerting}
    UNION ALL
    SELECT station_id, resource_id FROM created WHERE ${isAlerting}
    ON CONFLICT DO NOTHING
  ), recorded AS (
    INSERT INTO revisions (station_id, revision, rev_id, committed_ms, changed_by)
    SELECT m.id, v.revision, v.rev_id, ${nowMs}, v.changed_by
    FROM moved m
    JOIN json_to_recordset($5::json) AS v (station_id bigint, revision bigint, rev_id text, changed_by text)
      ON v.station_id = m.id
  )
  SELECT id FROM moved
`;
