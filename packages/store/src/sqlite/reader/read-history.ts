import type { DatabaseSync } from 'node:sqlite';
import { dataDamaged, type HistoryPosition, type StationAddress } from '@roster/contract';
import type { HistoryQuery } from '@roster/engine';
import {
  type ChangePosition,
  changesBetween,
  endHistory,
  type HistoryStart,
  isAfter,
  type PastVersion,
  type PositionedChange,
  type StretchOfResource,
  startHistory,
  step,
  versionsFor,
} from '../../shared/history.ts';
import { requireStation, type StationRow } from '../database/find-station.ts';
import { resourceAsJson } from '../database/resource-columns.ts';
import { isSound } from '../database/row-checksums.ts';

/** A page as sent between threads. */
export interface EncodedHistoryPage {
  readonly changes: readonly (EncodedChange & { readonly changedAtMs: number })[];
  readonly next: HistoryPosition;
  readonly hasMore: boolean;
}

/** Runs in the caller's transaction. */
export function readHistory(
  db: DatabaseSync,
  address: StationAddress,
  query: HistoryQuery,
): EncodedHistoryPage {
  const station = requireStation(db, address);
  const start = startHistory(station, query);
  const stretch = { stationId: station.id, ...start };
  const { resourceId } = query;
  const found =
    resourceId === undefined
      ? readStationHistory(db, stretch)
      : readResourceHistory(db, { ...stretch, resourceId });
  if (resourceId === undefined) requireAllChanges(db, { station, start, found });
  const changes = withTimes(db, station, found.slice(0, query.limit));
  return { changes, ...endHistory(found, start, station.head) };
}

interface FoundChanges {
  readonly station: StationRow;
  readonly start: HistoryStart;
  readonly found: readonly EncodedChange[];
}

/**
 * Throws `data_damaged` unless the changes are in order, each once, and complete for every revision that lies
 * wholly within the page.
 */
function requireAllChanges(db: DatabaseSync, { station, start, found }: FoundChanges): void {
  const last = found.length < start.limit ? station.head.number : found.at(-1)!.revision - 1;
  const first = start.after.revision + 1;
  const rows = db
    .prepare(
      `SELECT revision, changes FROM revisions
       WHERE station_id = ? AND revision BETWEEN ? AND ? AND ${isSound('revisions')}`,
    )
    .all(station.id, first, last) as unknown as { revision: number; changes: number }[];
  const counts = new Map<number, number>();
  for (const { revision } of found) counts.set(revision, (counts.get(revision) ?? 0) + 1);
  const areWhole = rows.every(({ revision, changes }) => changes === (counts.get(revision) ?? 0));
  const areInOrder = found.every((change, at) => isAfter(change, at === 0 ? start.after : found[at - 1]!));
  if (areInOrder && areWhole && rows.length === Math.max(0, last - first + 1)) return;
  throw dataDamaged('the history of the station');
}

function withTimes(
  db: DatabaseSync,
  { id }: StationRow,
  changes: readonly EncodedChange[],
): EncodedHistoryPage['changes'] {
  const select = db.prepare(
    `SELECT committed_ms FROM revisions WHERE station_id = ? AND revision = ? AND ${isSound('revisions')}`,
  );
  const times = new Map<number, number>();
  return changes.map((change) => {
    const changedAtMs = times.getOrInsertComputed(change.revision, (revision) => {
      const row = select.get(id, revision) as { committed_ms: number } | undefined;
      if (row === undefined) throw dataDamaged('the history of the station');
      return row.committed_ms;
    });
    return { ...change, changedAtMs };
  });
}

/** A change as sent between threads. Resources are JSON: see `resourceAsJson`. */
type EncodedChange = PositionedChange<string>;

interface Stretch {
  readonly stationId: number;
  readonly after: ChangePosition;
  readonly limit: number;
}

/** The changes of a station after a position. */
function readStationHistory(db: DatabaseSync, { stationId, after, limit }: Stretch): EncodedChange[] {
  return db.prepare(historySql).all({ station: stationId, ...after, limit }) as unknown as EncodedChange[];
}

interface Source {
  readonly table: 'resources' | 'past_versions';
  readonly index: string;
  readonly revision: 'revision' | 'until_revision';
  readonly step: (typeof step)[keyof typeof step];
}

const sources: readonly Source[] = [
  { table: 'resources', index: 'resources_by_revision', revision: 'revision', step: step.put },
  { table: 'past_versions', index: 'past_versions_by_revision', revision: 'revision', step: step.put },
  { table: 'past_versions', index: 'past_versions_removed', revision: 'until_revision', step: step.remove },
];

/**
 * For each source, the rest of the revision of `after` and all later revisions. Each is an index range in the
 * requested order, so SQLite merges them without sorting and every page costs the same.
 */
export const historySql = `
  SELECT revision, id, step,
    CASE step WHEN ${step.remove} THEN version ELSE (
      SELECT ${resourceAsJson('b')} FROM past_versions b
      WHERE b.station_id = :station AND b.until_revision = changed.revision AND b.id = changed.id AND b.removed = 0
        AND ${isSound('past_versions', 'b')}
    ) END AS before,
    CASE step WHEN ${step.put} THEN version END AS after
  FROM (
    ${sources.flatMap((source) => [restOfRevision(source), laterRevisions(source)]).join(' UNION ALL ')}
    ORDER BY 1, 2, 3
    LIMIT :limit
  ) AS changed
`;

function restOfRevision(source: Source): string {
  const isBehind = source.step === step.put ? 'id > :id OR (id = :id AND :step = 0)' : 'id > :id';
  return `${selectFrom(source)} AND ${source.revision} = :revision AND id >= :id AND (${isBehind})`;
}

function laterRevisions(source: Source): string {
  return `${selectFrom(source)} AND ${source.revision} > :revision`;
}

function selectFrom({ table, index, revision, step }: Source): string {
  const removedOnly = revision === 'until_revision' ? 'AND removed = 1' : '';
  return `
    SELECT ${revision} AS revision, id, ${step} AS step, ${resourceAsJson(table)} AS version
    FROM ${table} INDEXED BY ${index}
    WHERE station_id = :station ${removedOnly} AND ${isSound(table)}`;
}

/** The changes of one resource after a position. */
function readResourceHistory(db: DatabaseSync, stretch: StretchOfResource): EncodedChange[] {
  return changesBetween(readVersions(db, stretch), stretch);
}

function readVersions(
  db: DatabaseSync,
  { stationId, resourceId, after, limit }: StretchOfResource,
): PastVersion<string>[] {
  const past = db
    .prepare(
      `SELECT id, revision, until_revision AS until, removed, ${resourceAsJson('past_versions')} AS version
       FROM past_versions INDEXED BY past_versions_by_resource_id
       WHERE station_id = ? AND resource_id = ? AND until_revision >= ? AND ${isSound('past_versions')}
       ORDER BY until_revision
       LIMIT ?`,
    )
    .all(stationId, resourceId, after.revision, versionsFor(limit));
  const current = db
    .prepare(
      `SELECT id, revision, NULL AS until, 0 AS removed, ${resourceAsJson('resources')} AS version
       FROM resources WHERE station_id = ? AND resource_id = ? AND ${isSound('resources')}`,
    )
    .all(stationId, resourceId);
  const rows = [...past, ...current] as unknown as (PastVersion<string> & { removed: number })[];
  return rows.map(({ removed, ...version }) => ({ ...version, wasRemoved: removed === 1 }));
}
