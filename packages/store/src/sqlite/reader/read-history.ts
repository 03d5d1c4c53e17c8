import type { DatabaseSync } from 'node:sqlite';
import { dataDamaged, type StationAddress } from '@roster/contract';
import type { HistoryQuery } from '@roster/engine/port';
import {
  changesBetween,
  type HistoryStart,
  isAfter,
  type PastVersion,
  type PositionedChange,
  type RevisionRow,
  revisionsFor,
  type StoredHistoryPage,
  startHistory,
  step,
  toPage,
  versionsFor,
} from '../../shared/history.ts';
import { requireStation } from '../database/find-station.ts';
import { resourceAsJson } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';
import { getRow, getRows } from '../database/rows.ts';

/** A change as sent between threads. Resources are JSON: see `resourceAsJson`. */
type EncodedChange = PositionedChange<string>;

/** Runs in the caller's transaction. */
export function readHistory(
  db: DatabaseSync,
  address: StationAddress,
  query: HistoryQuery,
): StoredHistoryPage<string> {
  const station = requireStation(db, address);
  const start = startHistory(station, query, lastBefore(db, station.id, query));
  const { resourceId } = query;
  const found =
    resourceId === undefined ? readStationHistory(db, start) : readResourceHistory(db, start, resourceId);
  return toPage(start, found, revisionsOf(db, start, found.slice(0, query.limit)));
}

function lastBefore(
  db: DatabaseSync,
  stationId: number,
  { since, fromMs }: HistoryQuery,
): number | undefined {
  if (since !== undefined || fromMs === undefined) return undefined;
  return getRow<{ revision: number }>(
    db,
    `SELECT revision FROM revisions WHERE station_id = ? AND committed_ms < ? AND ${isSound('revisions')}
     ORDER BY revision DESC LIMIT 1`,
    stationId,
    fromMs,
  )?.revision;
}

/** The changes of a station after a position. */
function readStationHistory(db: DatabaseSync, start: HistoryStart): EncodedChange[] {
  const { station, after, limit } = start;
  const found = getRows<EncodedChange>(db, historySql, { station: station.id, ...after, limit });
  requireAllChanges(db, start, found);
  return found;
}

/**
 * Throws `data_damaged` unless the changes are in order, each once, and complete for every revision that lies
 * wholly within the page.
 */
function requireAllChanges(db: DatabaseSync, start: HistoryStart, found: readonly EncodedChange[]): void {
  const { station, after, limit } = start;
  const last = found.length < limit ? station.head.number : found.at(-1)!.revision - 1;
  const first = after.revision + 1;
  const rows = getRows<{ revision: number; changes: number }>(
    db,
    `SELECT revision, changes FROM revisions
     WHERE station_id = ? AND revision BETWEEN ? AND ? AND ${isSound('revisions')}`,
    station.id,
    first,
    last,
  );
  const counts = new Map<number, number>();
  for (const { revision } of found) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  const areWhole = rows.every(({ revision, changes }) => changes === (counts.get(revision) ?? 0));
  const areInOrder = found.every((change, at) => isAfter(change, at === 0 ? after : found[at - 1]!));
  if (areInOrder && areWhole && rows.length === Math.max(0, last - first + 1)) return;
  throw dataDamaged('the history of the station');
}

function revisionsOf(db: DatabaseSync, start: HistoryStart, changes: readonly EncodedChange[]) {
  return getRows<RevisionRow>(
    db,
    `SELECT revision, committed_ms, changed_by FROM revisions
     WHERE station_id = ? AND revision IN (SELECT value FROM json_each(?)) AND ${isSound('revisions')}`,
    start.station.id,
    JSON.stringify(revisionsFor(start, changes)),
  );
}

/** Where changes are found, each in the order of an index: versions that have ended, and created resources. */
const historySources = [
  {
    table: 'past_versions NOT INDEXED',
    revision: 'until_revision',
    step: '1 - removed',
    before: resourceAsJson('past_versions'),
    isWanted: isSound('past_versions'),
  },
  {
    table: 'resources INDEXED BY resources_by_creation',
    revision: 'created_revision',
    step: step.put,
    before: 'NULL',
    isWanted: isSound('resources'),
  },
  {
    table: 'past_versions INDEXED BY past_versions_by_creation',
    revision: 'created_revision',
    step: step.put,
    before: 'NULL',
    isWanted: `removed = 1 AND ${isSound('past_versions')}`,
  },
] as const;

type HistorySource = (typeof historySources)[number];

/**
 * For each source, the rest of the revision of `after` and all later revisions. Each is an index range in the
 * requested order, so SQLite merges them without sorting and every page costs the same. What a put has made is the next
 * version of the resource that ended, or the current one; if that did not begin then, something is damaged.
 */
export const historySql = `
  SELECT revision, id, step, before, CASE step WHEN ${step.put} THEN coalesce(
    (
      SELECT ${versionOf('past_versions')} FROM past_versions a INDEXED BY past_versions_by_resource_id
      WHERE a.station_id = :station AND a.resource_id = changed.resource_id
        AND a.until_revision > changed.revision
      ORDER BY a.until_revision
      LIMIT 1
    ),
    (
      SELECT ${versionOf('resources')} FROM resources a
      WHERE a.station_id = :station AND a.resource_id = changed.resource_id
    ),
    damaged()
  ) END AS after
  FROM (
    ${historySources.flatMap((source) => [restOfRevision(source), laterRevisions(source)]).join(' UNION ALL ')}
    ORDER BY 1, 2, 3
    LIMIT :limit
  ) AS changed
`;

function versionOf(table: 'past_versions' | 'resources'): string {
  const isExpected = `a.revision = changed.revision AND a.id = changed.id AND ${isSound(table, 'a')}`;
  return `CASE WHEN ${isExpected} THEN ${resourceAsJson('a')} ELSE damaged() END`;
}

function restOfRevision(source: HistorySource): string {
  const isBehind = `id > :id OR (id = :id AND ${source.step} > :step)`;
  return `${selectFrom(source)} AND ${source.revision} = :revision AND id >= :id AND (${isBehind})`;
}

function laterRevisions(source: HistorySource): string {
  return `${selectFrom(source)} AND ${source.revision} > :revision`;
}

function selectFrom({ table, revision, step, before, isWanted }: HistorySource): string {
  return `
    SELECT ${revision} AS revision, id, ${step} AS step, ${before} AS before, resource_id
    FROM ${table} WHERE station_id = :station AND ${isWanted}`;
}

/** The changes of one resource after a position. */
function readResourceHistory(db: DatabaseSync, start: HistoryStart, resourceId: string): EncodedChange[] {
  const { station, after, limit } = start;
  type Row = Omit<PastVersion<string>, 'wasRemoved'> & { removed: number };
  const past = getRows<Row>(
    db,
    `SELECT id, revision, until_revision AS until, removed, ${resourceAsJson('past_versions')} AS version
     FROM past_versions INDEXED BY past_versions_by_resource_id
     WHERE station_id = ? AND resource_id = ? AND until_revision >= ? AND ${isSound('past_versions')}
     ORDER BY until_revision
     LIMIT ?`,
    station.id,
    resourceId,
    after.revision,
    versionsFor(limit),
  );
  const current = getRows<Row>(
    db,
    `SELECT id, revision, NULL AS until, 0 AS removed, ${resourceAsJson('resources')} AS version
     FROM resources WHERE station_id = ? AND resource_id = ? AND ${isSound('resources')}`,
    station.id,
    resourceId,
  );
  const versions = [...past, ...current].map(({ removed, ...row }) => ({
    ...row,
    wasRemoved: removed === 1,
  }));
  return changesBetween(versions, start);
}
