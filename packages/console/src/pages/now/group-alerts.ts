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
  const stations = Map.groupBy(sorted, ({ station }) => station);
  return [...stations].map(([station, found]) => ({
    station,
    ...counts(found),
    types: [...Map.groupBy(found, ({ resource_type }) => resource_type.key)].map(([key, some]) => ({
      key,
      label: some[0]!.resource_type.label || key,
      ...counts(some),
      first: some.slice(0, firstShown),
    })),
  }));
}

/** Groups come in the order of their first member. */
function byUrgency(a: FoundResource, b: FoundResource): number {
  const rank = ({ state }: FoundResource) => (stateTone(state) === 'firing' ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return a.state_since < b.state_since ? -1 : Number(a.state_since > b.state_since);
}

function counts(found: readonly FoundResource[]): AlertCounts {
  const firing = found.filter(({ state }) => stateTone(state) === 'firing').length;
  return { firing, pending: found.length - firing, since: found[0]!.state_since };
}
