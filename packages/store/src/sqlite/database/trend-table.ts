import type { DatabaseSync } from 'node:sqlite';
import type { StationAddress } from '@roster/contract';
import type { TrendHour } from '@roster/engine/port';
import {
  type HourRange,
  hourOf,
  isTooClose,
  leavesGap,
  peaksWith,
  type StationToSample,
  type StoredTrends,
  type TrendRow,
  toRows,
  trendSql,
} from '../../shared/trends.ts';
import { requireStation } from './find-station.ts';
import { readMeta } from './meta-table.ts';
import { rowChecksum } from './row-checksums.ts';
import { getRow, getRows } from './rows.ts';
import { runTransaction } from './run-transaction.ts';

const sql = trendSql((n) => `?${n}`);

/** One transaction forgets this many; other writes run in between. */
const rowsPerStep = 20_000;

/** Damaged stations are left out. */
const toSampleSql = `
  SELECT s.id, s.counts, t.hour AS last_hour, t.counts AS last_counts, t.peaks AS last_peaks
  FROM stations s LEFT JOIN trends t ON t.station_id = s.id AND t.hour = (
    SELECT max(b.hour) FROM trends b WHERE b.station_id = s.id AND b.hour <= ?
  )
  WHERE t.counts IS NOT s.counts AND s.checksum = ${rowChecksum('stations', 's')}`;

/** Rows that later ones make superfluous for the time from an hour on. */
const forgetSql = `
  DELETE FROM trends WHERE (station_id, hour) IN (
    SELECT t.station_id, t.hour FROM stations s CROSS JOIN trends t
    WHERE t.station_id = s.id AND t.hour < (
      SELECT max(b.hour) FROM trends b WHERE b.station_id = s.id AND b.hour <= ?
    )
    LIMIT ?
  )`;

/** Whether the last sample is so recent. */
export function isSampled(db: DatabaseSync, atMs: number, apartMs: number): boolean {
  return isTooClose(atMs, sampledMs(db), apartMs);
}

export function sampleTrends(db: DatabaseSync, atMs: number, apartMs: number): void {
  if (isSampled(db, atMs, apartMs)) return;
  runTransaction(db, () => {
    const hour = hourOf(atMs);
    const sampledHour = hourOf(sampledMs(db));
    if (leavesGap(hour, sampledHour)) {
      db.prepare(`${sql.beginGap} ON CONFLICT DO NOTHING`).run(sampledHour + 1);
    }
    const put = db.prepare(
      'INSERT OR REPLACE INTO trends (station_id, hour, counts, peaks) VALUES (?, ?, ?, ?)',
    );
    for (const station of getRows<StationToSample>(db, toSampleSql, hour)) {
      put.run(station.id, hour, station.counts as string, JSON.stringify(peaksWith(station, hour)));
    }
    db.prepare(sql.setSampled).run(String(Math.trunc(atMs)));
  });
}

export function readTrends(db: DatabaseSync, address: StationAddress, { from, to }: HourRange): StoredTrends {
  const { id } = requireStation(db, address);
  return { rows: getRows<TrendRow>(db, sql.read, id, from, to), sampledMs: sampledMs(db) };
}

export function addTrends(db: DatabaseSync, address: StationAddress, hours: readonly TrendHour[]): void {
  runTransaction(db, () => {
    const { id } = requireStation(db, address);
    const first = getRow<{ hour: number | null }>(db, sql.firstHour, id)?.hour ?? Number.POSITIVE_INFINITY;
    const insert = db.prepare(
      'INSERT OR IGNORE INTO trends (station_id, hour, counts, peaks) VALUES (?, ?, ?, ?)',
    );
    for (const { hour, counts, peaks } of toRows(hours.filter(({ startMs }) => hourOf(startMs) < first))) {
      insert.run(id, hour, counts && JSON.stringify(counts), peaks && JSON.stringify(peaks));
    }
  });
}

/** Returns whether there is more to forget. */
export function forgetTrends(db: DatabaseSync, untilMs: number): boolean {
  return runTransaction(db, () => {
    const { changes } = db.prepare(forgetSql).run(hourOf(untilMs), rowsPerStep);
    return Number(changes) === rowsPerStep;
  });
}

function sampledMs(db: DatabaseSync): number {
  return Number(readMeta(db, 'trends_sampled_ms'));
}
