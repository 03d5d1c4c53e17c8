import type { DatabaseSync } from 'node:sqlite';
import { resourceDefaults } from '@roster/contract';
import type { StagedBatch } from './find-batch-faults.ts';

export interface RowsToWrite extends StagedBatch {
  readonly revision: number;
}

const columns =
  'resource_id, name, display_name, type_key, product, alertable, state, sku, gpu_model, alert_rules_count, create_time';

/** Returns how many rows were written. Rolls the transaction back on a conflict, which saves a journal. */
export function insertIntoEmptyStation(db: DatabaseSync, rows: RowsToWrite): number {
  const sql = `
    INSERT OR ROLLBACK INTO resources (station_id, ${columns}, revision)
    SELECT
      :station, s.resource_id, s.name, coalesce(s.display_name, s.name), s.type_key,
      coalesce(s.product, :product), coalesce(s.alertable, :alertable), coalesce(s.state, :state),
      coalesce(s.sku, :sku), coalesce(s.gpu_model, :gpuModel),
      coalesce(s.alert_rules_count, :alertRulesCount), coalesce(s.create_time, :now), :revision
    FROM ${rows.table} s
  `;
  return Number(db.prepare(sql).run(parameters(rows)).changes);
}

/**
 * Runs a write that makes up most of the table without the table's indexes and builds them afterwards, each
 * by one sort: measured at two thirds of the time at half a million rows.
 */
export function indexAfterwards<T>(db: DatabaseSync, write: () => T): T {
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'resources'")
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  const result = write();
  for (const { sql } of indexes) db.exec(sql);
  return result;
}

/** Returns how many rows were created or updated. Rows that would stay as they are do not count. */
export function mergeIntoStation(db: DatabaseSync, rows: RowsToWrite): number {
  const sql = `
    INSERT INTO resources (id, station_id, ${columns}, revision)
    SELECT
      r.id, :station, s.resource_id, s.name, coalesce(s.display_name, r.display_name, s.name), s.type_key,
      coalesce(s.product, r.product, :product), coalesce(s.alertable, r.alertable, :alertable),
      coalesce(s.state, r.state, :state), coalesce(s.sku, r.sku, :sku),
      coalesce(s.gpu_model, r.gpu_model, :gpuModel),
      coalesce(s.alert_rules_count, r.alert_rules_count, :alertRulesCount),
      coalesce(s.create_time, r.create_time, :now), :revision
    FROM ${rows.table} s
    LEFT JOIN resources r ON r.station_id = :station AND r.resource_id = s.resource_id
    WHERE r.id IS NULL
      OR r.name <> s.name OR r.type_key <> s.type_key
      OR r.display_name <> s.display_name OR r.product <> s.product OR r.alertable <> s.alertable
      OR r.state <> s.state OR r.sku <> s.sku OR r.gpu_model <> s.gpu_model
      OR r.alert_rules_count <> s.alert_rules_count OR r.create_time <> s.create_time
    ON CONFLICT (id) DO UPDATE SET
      name = excluded.name, display_name = excluded.display_name, type_key = excluded.type_key,
      product = excluded.product, alertable = excluded.alertable, state = excluded.state,
      sku = excluded.sku, gpu_model = excluded.gpu_model,
      alert_rules_count = excluded.alert_rules_count, create_time = excluded.create_time,
      revision = excluded.revision
  `;
  return Number(db.prepare(sql).run(parameters(rows)).changes);
}

/** Gives every resource that the batch renames a name that none can have, so that names can change hands. */
export function setNamesAside(db: DatabaseSync, { table, stationId }: StagedBatch): void {
  db.prepare(
    `UPDATE resources SET name = char(1) || id
     WHERE id IN (
       SELECT r.id FROM ${table} s
       CROSS JOIN resources r ON r.station_id = :station AND r.resource_id = s.resource_id
       WHERE r.name <> s.name
     )`,
  ).run({ station: stationId });
}

function parameters({ stationId, revision }: RowsToWrite): Record<string, string | number> {
  return {
    ...resourceDefaults,
    alertable: Number(resourceDefaults.alertable),
    station: stationId,
    revision,
    now: new Date().toISOString(),
  };
}
