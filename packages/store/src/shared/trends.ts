import { isDeepStrictEqual } from 'node:util';
import type { StationCounts, TrendHour } from '@roster/engine/port';

const hourMs = 3_600_000;

/** The largest hour that both databases can store. */
const maxHour = 2 ** 31 - 1;

type Peaks = TrendHour['peaks'];

/** SQLite has no JSON type. */
type Json<T> = T | string;

/**
 * What a station had at the end of an hour. It also holds for the hours that follow, up to the next row or the last
 * sample, so a station in which nothing changes takes no space. Without counts, it begins a time without samples.
 */
export interface TrendRow {
  /** Since 1970. */
  readonly hour: number;
  readonly counts: Json<StationCounts> | null;
  readonly peaks: Json<Peaks> | null;
}

/** A station whose counts differ from the last ones that are stored. */
export interface StationToSample {
  readonly id: number;
  readonly counts: Json<StationCounts>;
  readonly last_hour: number | null;
  readonly last_counts: TrendRow['counts'];
  readonly last_peaks: TrendRow['peaks'];
}

export interface HourRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** As read from the database. */
export interface StoredTrends {
  readonly rows: readonly TrendRow[];
  /** The time of the last sample. */
  readonly sampledMs: number;
}

export function hourOf(ms: number): number {
  return Math.min(Math.max(Math.floor(ms / hourMs), 0), maxHour);
}

/** The hours that overlap a time. */
export function hoursBetween(fromMs: number, toMs: number): HourRange {
  return { from: hourOf(fromMs), to: Math.min(Math.max(Math.ceil(toMs / hourMs), 0), maxHour) };
}

/** Whether a sample would come too close to the last one. A clock that was set back is no reason to wait. */
export function isTooClose(atMs: number, sampledMs: number, apartMs: number): boolean {
  return Math.abs(atMs - sampledMs) < apartMs;
}

/** Whether hours without samples lie between two samples, or the clock was set back. */
export function leavesGap(hour: number, sampledHour: number): boolean {
  return hour !== sampledHour && hour !== sampledHour + 1;
}

/** The peaks of an hour after one more sample. What the station had last, it had until then. */
export function peaksWith(station: StationToSample, hour: number): Peaks {
  const peaks: Record<string, number> = {};
  const earlier = station.last_hour === hour ? parse(station.last_peaks) : undefined;
  for (const counts of [parse(station.counts)?.byState, parse(station.last_counts)?.byState, earlier]) {
    for (const [state, count] of Object.entries(counts ?? {}))
      peaks[state] = Math.max(peaks[state] ?? 0, count);
  }
  return peaks;
}

/** Every sampled hour of the range. */
export function toHours({ rows, sampledMs }: StoredTrends, { from, to }: HourRange): TrendHour[] {
  const hours: TrendHour[] = [];
  const sampledHour = hourOf(sampledMs);
  for (const [at, row] of rows.entries()) {
    const counts = parse(row.counts);
    if (counts === undefined) continue;
    const next = rows[at + 1]?.hour ?? row.hour + 1;
    // A row after the last sample is of a clock that was ahead.
    const isLast = row.hour <= sampledHour && (at === rows.length - 1 || next > sampledHour);
    const end = isLast ? sampledHour + 1 : next;
    for (let hour = Math.max(row.hour, from); hour < Math.min(end, to); hour++) {
      const peaks = (hour === row.hour ? parse(row.peaks) : undefined) ?? counts.byState;
      hours.push({ startMs: hour * hourMs, counts, peaks });
    }
  }
  return hours;
}

/** The rows that stand for these hours, and say that nothing is known of the time between and after them. */
export function toRows(hours: readonly TrendHour[]): TrendRow[] {
  const rows: TrendRow[] = [];
  let next: { readonly hour: number; readonly counts: StationCounts } | undefined;
  for (const { startMs, counts, peaks } of hours) {
    const hour = hourOf(startMs);
    if (next && next.hour !== hour) rows.push(gapAt(next.hour));
    const isSame = next?.hour === hour && isDeepStrictEqual([counts, peaks], [next.counts, counts.byState]);
    if (!isSame) rows.push({ hour, counts, peaks });
    next = { hour: hour + 1, counts };
  }
  return next ? [...rows, gapAt(next.hour)] : rows;
}

function gapAt(hour: number): TrendRow {
  return { hour, counts: null, peaks: null };
}

/** What cannot be read is not known. */
function parse<T extends object>(json: Json<T> | null): T | undefined {
  if (typeof json !== 'string') return json ?? undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The statements, given how the database writes the nth parameter. */
export function trendSql(parameter: (n: number) => string) {
  const [first, second, third] = [parameter(1), parameter(2), parameter(3)];
  return {
    sampled: "SELECT value FROM meta WHERE key = 'trends_sampled_ms'",
    setSampled: `UPDATE meta SET value = ${first} WHERE key = 'trends_sampled_ms'`,
    /** Stations whose trends end with the hour before the first parameter. */
    beginGap: `
      INSERT INTO trends (station_id, hour)
      SELECT s.id, CAST(${first} AS integer) FROM stations s
      WHERE EXISTS (SELECT 1 FROM trends t WHERE t.station_id = s.id AND t.hour < CAST(${first} AS integer))`,
    /** The rows of a station that say what it had from one hour to another, and the one after them. */
    read: `
      SELECT hour, counts, peaks FROM trends
      WHERE station_id = ${first} AND hour >= coalesce(
        (SELECT max(t.hour) FROM trends t WHERE t.station_id = ${first} AND t.hour <= ${second}), ${second}
      ) AND hour <= coalesce(
        (SELECT min(t.hour) FROM trends t WHERE t.station_id = ${first} AND t.hour >= ${third}), ${third}
      )
      ORDER BY hour`,
    firstHour: `SELECT min(hour) AS hour FROM trends WHERE station_id = ${first}`,
  };
}
