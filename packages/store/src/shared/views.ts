import { canonicalViewQuery, parseStationPath, RosterError, stationPath } from '@roster/contract';
import type { StoredView } from '@roster/engine/port';

export interface ViewRow {
  readonly owner: string;
  readonly name: string;
  /** Null for all stations. */
  readonly station: string | null;
  readonly query: string;
  readonly changed_ms: number;
  readonly changed_by: string;
}

export const viewColumns = 'owner, name, station, query, changed_ms, changed_by';

/** `parameters` stand for the values of `viewValues`. */
export function putViewSql(parameters: string): string {
  return `INSERT INTO views (${viewColumns}) VALUES (${parameters})
    ON CONFLICT (owner, name) DO UPDATE SET
      station = excluded.station, query = excluded.query, changed_ms = excluded.changed_ms,
      changed_by = excluded.changed_by`;
}

/** Counts the views of the owner that `parameter` stands for, and all. */
export function countViewsSql(parameter: string): string {
  return `SELECT count(CASE WHEN owner = ${parameter} THEN 1 END) AS owned, count(*) AS total FROM views`;
}

export function viewValues(view: StoredView): (string | number | null)[] {
  const { owner, name, station, query, changedAtMs, changedBy } = view;
  return [owner, name, station ? stationPath(station) : null, query, changedAtMs, changedBy];
}

/** A view whose station cannot be read does not exist. */
export function toViews(rows: readonly ViewRow[]): StoredView[] {
  return rows.flatMap(({ owner, name, station: path, query, changed_ms, changed_by }) => {
    const station = path === null ? undefined : parseStationPath(path);
    const isDamaged = path !== null && station === undefined;
    return isDamaged ? [] : [{ owner, name, station, query, changedAtMs: changed_ms, changedBy: changed_by }];
  });
}

/** Whether the search of a stored view can be run. */
export function isReadable({ station, query }: ViewRow): boolean {
  try {
    canonicalViewQuery(query, station === null ? 'everything' : 'station');
    return station === null || parseStationPath(station) !== undefined;
  } catch (error) {
    if (error instanceof RosterError) return false;
    throw error;
  }
}

/** By owner and name, in the order of UTF-16 code units, which databases do not have. */
export function inOrder(views: readonly StoredView[]): StoredView[] {
  return views.toSorted((a, b) => compare(a.owner, b.owner) || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
