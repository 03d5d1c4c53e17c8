import type { Source } from '@roster/client';

type Told = Pick<Source, 'kind' | 'stations' | 'alerts'>;

interface Group {
  readonly stations: ReadonlySet<string>;
  readonly counts: Readonly<Record<Source['kind'], number>>;
}

/**
 * How many alerts belong to no resource, or to no single one. Prometheus and the Alertmanager of its stations tell of
 * the same alerts.
 */
export function countUntied(sources: readonly Told[]): number {
  const groups = sources.reduce<readonly Group[]>((before, source) => {
    const own = source.stations;
    const isShared = ({ stations }: Group) => own.some((station) => stations.has(station));
    return [
      before.filter(isShared).reduce(merged, groupOf(source)),
      ...before.filter((each) => !isShared(each)),
    ];
  }, []);
  return groups.reduce((sum, { counts }) => sum + Math.max(counts.prometheus, counts.alertmanager), 0);
}

function groupOf({ kind, stations, alerts: { unmatched, ambiguous } }: Told): Group {
  return {
    stations: new Set(stations),
    counts: { prometheus: 0, alertmanager: 0, [kind]: unmatched + ambiguous },
  };
}

function merged(a: Group, b: Group): Group {
  return {
    stations: a.stations.union(b.stations),
    counts: {
      prometheus: a.counts.prometheus + b.counts.prometheus,
      alertmanager: a.counts.alertmanager + b.counts.alertmanager,
    },
  };
}
