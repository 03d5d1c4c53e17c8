import { setImmediate as nextTick } from 'node:timers/promises';
import { stationPath } from '@roster/contract';
import type { MaybePromise } from '@roster/engine/port';
import {
  addressColumns,
  parseCounts,
  type StoredAddress,
  type StoredStation,
  toAddress,
} from '../shared/stations.ts';
import { isReadable, type ViewRow, viewColumns } from '../shared/views.ts';

/** Something in an inventory that differs from what was written. */
export interface Damage {
  readonly kind: 'station' | 'resources' | 'history' | 'types' | 'views' | 'database';
  /** As `stationPath` writes it; undefined when it belongs to no station or an unknown one. */
  readonly station: string | undefined;
  readonly damaged: number;
  /** How many rows are missing; negative for surplus rows. */
  readonly missing: number;
  /** The first damaged ids or keys, as far as they can be read. */
  readonly ids: readonly string[];
  readonly detail: string | undefined;
}

export interface CheckResult {
  readonly stations: number;
  readonly resources: number;
  readonly pastVersions: number;
  readonly types: number;
  readonly views: number;
  readonly damages: readonly Damage[];
}

export interface CheckOptions {
  /** Called before anything is read. */
  onStart?(resources: number): void;
  /** Called with each number of resources verified. */
  onChecked?(resources: number): void;
}

/** A database to check, and the checks that only it has. */
export interface CheckedDatabase {
  query<Row>(sql: string): MaybePromise<Row[]>;
  /** The SQL of the expected checksum of a row. */
  rowChecksum(table: 'stations' | 'resources' | 'past_versions' | 'resource_types'): string;
  /** Whether an error means that the database cannot read its data. */
  isDamage(error: unknown): boolean;
  /** Runs `read` in one state of the database. */
  inOneState<T>(read: () => Promise<T>): Promise<T>;
  /** The table of resources, with the index that feeds use. */
  readonly resources: string;
  /** Counts stations that have revisions but no row. */
  readonly lostStations?: string;
  /** Selects how many types there should be. */
  readonly expectedTypes?: string;
  /** Counts the damaged revisions of a station. */
  damagedRevisions?(stationId: number): string;
  /** What else is wrong with the database as a whole, such as what its own check of its files reports. */
  structure?(): MaybePromise<string[]>;
}

/** Ids reported per damage. */
const maxToldIds = 20;

interface StationToCheck {
  readonly id: number;
  /** Undefined when its own row is damaged. */
  readonly size: number | undefined;
  readonly path: string;
}

/** Verifies all data. What cannot be read is a finding too. */
export async function runChecks(db: CheckedDatabase, options: CheckOptions): Promise<CheckResult> {
  const checks = new Checks(db);
  const stations = await checks.attempt([], () => checks.stations());
  options.onStart?.(stations.reduce((sum, { size }) => sum + (size ?? 0), 0));
  let [resources, pastVersions] = [0, 0];
  for (const station of stations) {
    const found = await checks.attempt(0, () => checks.resources(station), station);
    options.onChecked?.(found);
    resources += found;
    pastVersions += await checks.attempt(0, () => checks.history(station), station);
    await nextTick();
  }
  const types = await checks.attempt(0, () => checks.types());
  const views = await checks.attempt(0, () => checks.views());
  await checks.attempt(undefined, () => checks.structure());
  return { stations: stations.length, resources, pastVersions, types, views, damages: checks.damages };
}

/** All but `stations` return how many rows they found. */
class Checks {
  readonly damages: Damage[] = [];
  readonly #db: CheckedDatabase;

  constructor(db: CheckedDatabase) {
    this.#db = db;
  }

  async attempt<T>(otherwise: T, check: () => Promise<T>, station?: StationToCheck): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (!this.#db.isDamage(error)) throw error;
      this.#add({ kind: 'database', station: station?.path, detail: (error as Error).message });
      return otherwise;
    }
  }

  async stations(): Promise<StationToCheck[]> {
    const rows = await this.#db.query<StoredAddress & StoredStation & { sound: unknown }>(
      `SELECT id, ${addressColumns.join(', ')}, counts, checksum = ${this.#db.rowChecksum('stations')} AS sound
       FROM stations ORDER BY id`,
    );
    const stations = rows.map((row) => {
      const path = stationPath(toAddress(row));
      if (!row.sound) this.#add({ kind: 'station', station: path, damaged: 1 });
      return { id: row.id, size: row.sound ? parseCounts(row.counts).resources : undefined, path };
    });
    const { lostStations } = this.#db;
    if (lostStations !== undefined) this.#add({ kind: 'station', missing: await this.#number(lostStations) });
    return stations;
  }

  /** The station may change meanwhile, so its size is read with its resources. */
  async resources({ id, size, path: station }: StationToCheck): Promise<number> {
    const from = `${this.#db.resources} WHERE station_id = ${id}`;
    const { found, ids, counts } = await this.#db.inOneState(async () => ({
      found: await this.#number(`SELECT count(*) FROM ${from}`),
      ids: await this.#damagedIn('resources', 'resource_id', from),
      counts: await this.#db.query<StoredStation>(`SELECT counts FROM stations WHERE id = ${id}`),
    }));
    const isKnown = size !== undefined && counts[0] !== undefined;
    const missing = isKnown ? parseCounts(counts[0]!.counts).resources - found : 0;
    this.#add({ kind: 'resources', station, damaged: ids.length, missing, ids });
    return found;
  }

  async history({ id, path: station }: StationToCheck): Promise<number> {
    const from = `past_versions WHERE station_id = ${id}`;
    const ids = await this.#damagedIn('past_versions', 'resource_id', from);
    const revisions = this.#db.damagedRevisions?.(id);
    const damaged = ids.length + (revisions === undefined ? 0 : await this.#number(revisions));
    this.#add({ kind: 'history', station, damaged, ids });
    return this.#number(`SELECT count(*) FROM ${from}`);
  }

  async types(): Promise<number> {
    const ids = await this.#damagedIn('resource_types', 'key', 'resource_types WHERE true');
    const found = await this.#number('SELECT count(*) FROM resource_types');
    const { expectedTypes } = this.#db;
    const missing = expectedTypes === undefined ? 0 : (await this.#number(expectedTypes)) - found;
    this.#add({ kind: 'types', damaged: ids.length, missing, ids });
    return found;
  }

  /** Views have no checksums, but must be readable. */
  async views(): Promise<number> {
    const rows = await this.#db.query<ViewRow>(`SELECT ${viewColumns} FROM views ORDER BY owner, name`);
    const ids = rows.filter((row) => !isReadable(row)).map(({ owner, name }) => `${owner}/${name}`);
    this.#add({ kind: 'views', damaged: ids.length, ids });
    return rows.length;
  }

  async structure(): Promise<void> {
    const reported = (await this.#db.structure?.()) ?? [];
    if (reported.length > 0) this.#add({ kind: 'database', detail: reported.join('; ') });
  }

  async #damagedIn(table: 'resources' | 'past_versions' | 'resource_types', column: string, from: string) {
    const rows = await this.#db.query<{ id: unknown }>(
      `SELECT ${column} AS id FROM ${from} AND checksum IS DISTINCT FROM ${this.#db.rowChecksum(table)}`,
    );
    return rows.map(({ id }) => String(id));
  }

  async #number(sql: string): Promise<number> {
    const [row] = await this.#db.query<object>(sql);
    return Number(Object.values(row ?? {})[0]);
  }

  /** Drops findings of nothing. */
  #add(found: Pick<Damage, 'kind'> & Partial<Damage>): void {
    const { kind, station, damaged = 0, missing = 0, ids = [], detail } = found;
    if (damaged === 0 && missing === 0 && detail === undefined) return;
    this.damages.push({ kind, station, damaged, missing, ids: ids.slice(0, maxToldIds), detail });
  }
}
