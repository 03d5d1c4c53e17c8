import { setImmediate as nextTick } from 'node:timers/promises';
import type { MaybePromise } from '@roster/engine';

/** Something in an inventory that differs from what was written. */
export interface Damage {
  readonly kind: 'station' | 'resources' | 'history' | 'types' | 'database';
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
  readonly damages: readonly Damage[];
}

export interface CheckOptions {
  /** Called before anything is read. */
  onStart?(resources: number): void;
  /** Called with each number of resources verified. */
  onChecked?(resources: number): void;
}

/** Ids reported per damage. */
const maxToldIds = 20;

export interface StationToCheck {
  readonly id: number;
  /** Null when its own row is damaged. */
  readonly size: number | null;
  readonly path: string;
}

/** The checks of one database. All but `stations` return how many rows they found. */
export interface Checks {
  stations(): MaybePromise<StationToCheck[]>;
  resources(station: StationToCheck): MaybePromise<number>;
  history(station: StationToCheck): MaybePromise<number>;
  types(): MaybePromise<number>;
  /** The database's own check of its files, if it has one. */
  structure?(): MaybePromise<void>;
  /** Whether an error means that the database cannot read its data. */
  isDamage(error: unknown): boolean;
}

/** Runs all checks and adds what they could not read to the findings. */
export async function runChecks(
  checks: Checks,
  findings: Findings,
  options: CheckOptions,
): Promise<CheckResult> {
  const attempt = async <T>(
    otherwise: T,
    check: () => MaybePromise<T>,
    station?: StationToCheck,
  ): Promise<T> => {
    try {
      return await check();
    } catch (error) {
      if (!checks.isDamage(error)) throw error;
      findings.add({ kind: 'database', station: station?.path, detail: (error as Error).message });
      return otherwise;
    }
  };
  const stations = await attempt([], () => checks.stations());
  options.onStart?.(stations.reduce((sum, { size }) => sum + (size ?? 0), 0));
  let [resources, pastVersions] = [0, 0];
  for (const station of stations) {
    const found = await attempt(0, () => checks.resources(station), station);
    options.onChecked?.(found);
    resources += found;
    pastVersions += await attempt(0, () => checks.history(station), station);
    await nextTick();
  }
  const types = await attempt(0, () => checks.types());
  await attempt(undefined, () => checks.structure?.());
  return { stations: stations.length, resources, pastVersions, types, damages: findings.damages };
}

/** Collects the findings of a check; empty ones are dropped. */
export class Findings {
  readonly damages: Damage[] = [];

  add(found: Pick<Damage, 'kind'> & Partial<Damage>): void {
    const { kind, station, damaged = 0, missing = 0, ids = [], detail } = found;
    if (damaged === 0 && missing === 0 && detail === undefined) return;
    this.damages.push({ kind, station, damaged, missing, ids: ids.slice(0, maxToldIds), detail });
  }
}
