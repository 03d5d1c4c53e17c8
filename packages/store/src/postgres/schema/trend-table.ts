import type { StationAddress } from '@roster/contract';
import type { TrendHour } from '@roster/engine/port';
import type { ClientBase } from 'pg';
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
import { rowChecksum } from './row-checksums.ts';

const sql = trendSql((n) => `$${n}`);

/** One transaction forgets this many; other writes run in between. */
const rowsPerStep = 10_000;

/** A station that is being deleted must not get new rows. Writes to stations neither wait for this nor delay it. */
const unlessDeleted = 'FOR KEY SHARE OF s SKIP LOCKED';

/** Damaged stations are left out. */
const toSampleSql = `
  SELECT s.id, s.counts, t.hour AS last_hour, t.counts AS last_counts, t.peaks AS last_peaks
  FROM stations s LEFT JOIN LATERAL (
    SELECT b.hour, b.counts, b.peaks FROM trends b
    WHERE b.station_id = s.id AND b.hour <= $1 ORDER BY b.hour DESC LIMIT 1
  ) t ON true
  WHERE t.counts IS DISTINCT FROM s.counts AND s.checksum = ${rowChecksum('stations', 's')}
  ${unlessDeleted}`;

const putSql = `
  INSERT INTO trends (station_id, hour, counts, peaks)
  SELECT id, $1::integer, counts, peaks FROM unnest($2::bigint[], $3::jsonb[], $4::jsonb[]) AS sampled (id, counts, peaks)
  ON CONFLICT (station_id, hour) DO UPDATE SET counts = excluded.counts, peaks = excluded.peaks`;

const addSql = `
  INSERT INTO trends (station_id, hour, counts, peaks)
  SELECT $1::bigint, hour, counts, peaks FROM unnest($2::integer[], $3::jsonb[], $4::jsonb[]) AS added (hour, counts, peaks)
  ON CONFLICT DO NOTHING`;

/** Rows that later ones make superfluous for the time from an hour on. Without limits inside, all rows would be read. */
const forgetSql = `
  DELETE FROM trends WHERE (station_id, hour) IN (
    SELECT s.id, t.hour FROM stations s
    CROSS JOIN LATERAL (
      SELECT b.hour FROM trends b WHERE b.station_id = s.id AND b.hour <= $1 ORDER BY b.hour DESC LIMIT 1
    ) kept
    CROSS JOIN LATERAL (
      SELECT b.hour FROM trends b WHERE b.station_id = s.id AND b.hour < kept.hour ORDER BY b.hour LIMIT $2
    ) t
    LIMIT $2
  )`;

/** Undefined, which rolls back, if the last sample is recent. Runs in the caller's transaction, like all that write. */
export async function sampleTrends(
  client: ClientBase,
  atMs: number,
  apartMs: number,
): Promise<true | undefined> {
  // The lock makes nodes take turns.
  const lastMs = await sampledMs(client, 'FOR UPDATE');
  if (isTooClose(atMs, lastMs, apartMs)) return undefined;
  const hour = hourOf(atMs);
  const sampledHour = hourOf(lastMs);
  if (leavesGap(hour, sampledHour)) {
    await client.query(`${sql.beginGap} ${unlessDeleted} ON CONFLICT DO NOTHING`, [sampledHour + 1]);
  }
  const { rows } = await client.query<StationToSample>(toSampleSql, [hour]);
  if (rows.length > 0) {
    await client.query(putSql, [
      hour,
      rows.map(({ id }) => id),
      rows.map(({ counts }) => JSON.stringify(counts)),
      rows.map((station) => JSON.stringify(peaksWith(station, hour))),
    ]);
  }
  await client.query(sql.setSampled, [String(Math.trunc(atMs))]);
  return true;
}

/** Runs in the caller's snapshot transaction. */
export async function readTrends(
  client: ClientBase,
  address: StationAddress,
  { from, to }: HourRange,
): Promise<StoredTrends> {
  const { id } = await requireStation(client, address);
  const { rows } = await client.query<TrendRow>(sql.read, [id, from, to]);
  return { rows, sampledMs: await sampledMs(client) };
}

export async function addTrends(
  client: ClientBase,
  address: StationAddress,
  hours: readonly TrendHour[],
): Promise<true> {
  const { id } = await requireStation(client, address, 'FOR NO KEY UPDATE');
  const { rows } = await client.query<{ hour: number | null }>(sql.firstHour, [id]);
  const first = rows[0]?.hour ?? Number.POSITIVE_INFINITY;
  const added = toRows(hours.filter(({ startMs }) => hourOf(startMs) < first));
  await client.query(addSql, [
    id,
    added.map(({ hour }) => hour),
    added.map(({ counts }) => counts && JSON.stringify(counts)),
    added.map(({ peaks }) => peaks && JSON.stringify(peaks)),
  ]);
  return true;
}

/** Returns whether there is more to forget. */
export async function forgetTrends(client: ClientBase, untilMs: number): Promise<boolean> {
  const { rowCount } = await client.query(forgetSql, [hourOf(untilMs), rowsPerStep]);
  return rowCount === rowsPerStep;
}

async function sampledMs(client: ClientBase, lock: '' | 'FOR UPDATE' = ''): Promise<number> {
  const { rows } = await client.query<{ value: string }>(`${sql.sampled} ${lock}`);
  return Number(rows[0]?.value ?? 0);
}
