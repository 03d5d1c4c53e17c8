import { pipeline } from 'node:stream/promises';
import type { StagedRecord } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { stagedColumns } from '../../shared/resource-columns.ts';

/** Temporary tables: private to the session and not in the write-ahead log. */
export const stagingTables = `
  CREATE TEMP TABLE staged (
    position bigint, line bigint, column_number bigint, alert_rules_count bigint, alertable boolean,
    resource_id text COLLATE "C", name text COLLATE "C", display_name text COLLATE "C",
    type_key text COLLATE "C", product text COLLATE "C", state text COLLATE "C", sku text COLLATE "C",
    gpu_model text COLLATE "C", create_time text COLLATE "C", state_since bigint, labels text COLLATE "C"
  );
  CREATE TEMP TABLE changing (position bigint, updates boolean, renames boolean, bytes bigint, staged_at tid, at tid)
    ON COMMIT DELETE ROWS;
  CREATE TEMP TABLE leaving (resource_id text COLLATE "C") ON COMMIT DELETE ROWS;
`;

const copiedColumns = ['position', ...stagedColumns].join(', ');
const copySql = `COPY staged (${copiedColumns}) FROM STDIN`;

/** From this size on statistics pay off, and truncating beats deleting. */
const largeBatch = 300;

/** Appends lines of COPY's text format. */
export async function stageLines(client: ClientBase, lines: string): Promise<void> {
  await pipeline([Buffer.from(lines)], client.query(copyFrom(copySql)));
}

/**
 * Call it when all records are staged, before comparing them. Only join columns matter; analysing all of them
 * took a tenth of an import.
 */
export async function analyzeStaged(client: ClientBase, count: number): Promise<void> {
  if (count >= largeBatch) await client.query('ANALYZE staged (position, resource_id, name)');
}

/**
 * Without statistics the planner expects thousands of staged rows and would read the whole station instead of
 * looking them up. Lasts until the caller's transaction ends.
 */
export async function preferLookups(client: ClientBase, count: number): Promise<void> {
  if (count >= largeBatch) return;
  await client.query(`${lookupsOnly}; SET LOCAL enable_seqscan = off`);
}

/** For statements that find all rows by their places. Lasts until the caller's transaction ends. */
export async function requireLookups(client: ClientBase): Promise<void> {
  await client.query(`${lookupsOnly}; SET LOCAL enable_material = off`);
}

const lookupsOnly = 'SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off';

export async function clearStaged(client: ClientBase, count: number): Promise<void> {
  await client.query(count >= largeBatch ? 'TRUNCATE staged' : 'DELETE FROM staged');
}

/** A staged record as a line of COPY's text format, with `copiedColumns`. */
export function copyLine(position: number, { line, column, record }: StagedRecord): string {
  return (
    `${position}\t${line}\t${column ?? absent}\t${copyText(record.resourceId)}\t${copyText(record.name)}` +
    `\t${copyText(record.displayName)}\t${copyText(record.typeKey)}\t${copyText(record.product)}` +
    `\t${record.alertable ?? absent}\t${copyText(record.state)}\t${copyText(record.sku)}` +
    `\t${copyText(record.gpuModel)}\t${record.alertRulesCount ?? absent}\t${copyText(record.createTime)}` +
    `\t${record.stateSinceMs ?? absent}\t${copyText(record.labels)}\n`
  );
}

const absent = '\\N';
const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function copyText(text: string | undefined): string {
  if (text === undefined) return absent;
  return special.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!) : text;
}
