import type { FoundResource } from '@roster/client';
import { stateTone } from '../../format/state.ts';
import type { Alerts, StateAlerts } from './use-alerts.ts';

interface AlertCounts {
  readonly firing: number;
  readonly pending: number;
  /** Since when the worst of them has been in its state; undefined where none is loaded. */
  readonly since: string | undefined;
}

export interface TypeGroup extends AlertCounts {
  readonly key: string;
  /** Undefined where none is loaded. */
  readonly label: string | undefined;
  /** The worst and longest. */
  readonly first: readonly FoundResource[];
  /** Whether the counts are of all of them, not only of those that are loaded. */
  readonly areCounted: boolean;
}

export interface StationGroup extends AlertCounts {
  /** The path of the station. */
  readonly station: string;
  readonly types: readonly TypeGroup[];
}

const firstShown = 3;

/** By station and type, the worst first and of these the longest. */
export function groupAlerts({ firing, pending }: Pick<Alerts, 'firing' | 'pending'>): StationGroup[] {
  const loaded = Map.groupBy([...firing.resources, ...pending.resources], ({ station }) => station);
  const stations = new Set([
    ...loaded.keys(),
    ...Object.keys(firing.byStation),
    ...Object.keys(pending.byStation),
  ]);
  return [...stations]
    .map((station) => {
      const found = (loaded.get(station) ?? []).toSorted(byUrgency);
      const tallies = {
        firing: tally(firing, station, found.filter(isFiring)),
        pending: tally(
          pending,
          station,
          found.filter((each) => !isFiring(each)),
        ),
      };
      return {
        station,
        firing: tallies.firing.count,
        pending: tallies.pending.count,
        since: found[0]?.state_since,
        types: groupTypes(found, tallies),
      };
    })
    .toSorted(byWeight);
}

/** What one station has in one state. */
interface Tally {
  readonly count: number;
  readonly byType: Readonly<Record<string, number>>;
  readonly isWhole: boolean;
}

function tally({ byStation, byType }: StateAlerts, station: string, found: readonly FoundResource[]): Tally {
  const counted = Map.groupBy(found, ({ resource_type }) => resource_type.key);
  const loaded = Object.fromEntries([...counted].map(([key, some]) => [key, some.length]));
  const count = Math.max(byStation[station] ?? 0, found.length);
  const known = byType.get(station);
  return { count, byType: known ?? loaded, isWhole: known !== undefined || found.length === count };
}

function groupTypes(
  found: readonly FoundResource[],
  { firing, pending }: { readonly firing: Tally; readonly pending: Tally },
): TypeGroup[] {
  const byType = Map.groupBy(found, ({ resource_type }) => resource_type.key);
  const keys = new Set([...byType.keys(), ...Object.keys(firing.byType), ...Object.keys(pending.byType)]);
  const types = [...keys].map((key) => {
    const some = byType.get(key) ?? [];
    return {
      key,
      label: some[0] && (some[0].resource_type.label || key),
      firing: firing.byType[key] ?? 0,
      pending: pending.byType[key] ?? 0,
      since: some[0]?.state_since,
      first: some.slice(0, firstShown),
      areCounted: firing.isWhole && pending.isWhole,
    };
  });
  return types.toSorted(byWeight);
}

/** Those with something firing first, then the longest; of what began in the same minute, the larger. */
function byWeight(a: AlertCounts, b: AlertCounts): number {
  const isQuieter = Number(a.firing === 0) - Number(b.firing === 0);
  return (
    isQuieter || compare(minuteOf(a.since), minuteOf(b.since)) || b.firing - a.firing || b.pending - a.pending
  );
}

/** What is not loaded is newer than what is. */
const minuteOf = (time: string | undefined) => time?.slice(0, 'YYYY-MM-DDThh:mm'.length) ?? '~';

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const isFiring = ({ state }: FoundResource) => stateTone(state) === 'firing';

function byUrgency(a: FoundResource, b: FoundResource): number {
  return Number(isFiring(b)) - Number(isFiring(a)) || compare(a.state_since, b.state_since);
}
