import type { FoundResource } from '@roster/client';
import { stateTone } from '../../format/state.ts';

interface AlertCounts {
  readonly firing: number;
  readonly pending: number;
  /** Since when the worst of them has been in its state. */
  readonly since: string;
}

export interface TypeGroup extends AlertCounts {
  readonly key: string;
  readonly label: string;
  /** The worst and longest. */
  readonly first: readonly FoundResource[];
}

export interface StationGroup extends AlertCounts {
  /** The path of the station. */
  readonly station: string;
  readonly types: readonly TypeGroup[];
}

const firstShown = 3;

/** Resources by station and type, the worst first and of these the longest. */
export function groupAlerts(resources: readonly FoundResource[]): StationGroup[] {
  const sorted = resources.toSorted(byUrgency);
  const stations = [...Map.groupBy(sorted, ({ station }) => station)].map(([station, found]) => ({
    station,
    ...counts(found),
    types: groupTypes(found),
  }));
  return stations.toSorted(byWeight);
}

function groupTypes(found: readonly FoundResource[]): TypeGroup[] {
  const types = [...Map.groupBy(found, ({ resource_type }) => resource_type.key)].map(([key, some]) => ({
    key,
    label: some[0]!.resource_type.label || key,
    ...counts(some),
    first: some.slice(0, firstShown),
  }));
  return types.toSorted(byWeight);
}

/** Those with something firing first, then the longest; of what began in the same minute, the larger. */
function byWeight(a: AlertCounts, b: AlertCounts): number {
  const isQuieter = Number(a.firing === 0) - Number(b.firing === 0);
  return (
    isQuieter || compare(minuteOf(a.since), minuteOf(b.since)) || b.firing - a.firing || b.pending - a.pending
  );
}

const minuteOf = (time: string) => time.slice(0, 'YYYY-MM-DDThh:mm'.length);

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function byUrgency(a: FoundResource, b: FoundResource): number {
  const rank = ({ state }: FoundResource) => (stateTone(state) === 'firing' ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return compare(a.state_since, b.state_since);
}

function counts(found: readonly FoundResource[]): AlertCounts {
  const firing = found.filter(({ state }) => stateTone(state) === 'firing').length;
  return { firing, pending: found.length - firing, since: found[0]!.state_since };
}
