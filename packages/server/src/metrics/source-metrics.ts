import type { LiveSources, SourceStatus } from '@roster/sources';
import type { Registry } from 'prom-client';
import { type GaugeValue, gaugesIn } from './scraped-gauge.ts';

/** The sources that this node polls. Other nodes show none, so that sums count each once. */
export function registerSourceMetrics(registry: Registry, live: LiveSources | undefined): void {
  const gauge = gaugesIn(registry);
  const values = async (read: (status: SourceStatus) => Iterable<GaugeValue>) =>
    live?.isPolling ? (await live.statuses()).flatMap((status) => [...read(status)]) : [];
  const figure = (read: (status: SourceStatus) => number | undefined) =>
    values(function* (status) {
      const value = read(status);
      if (value !== undefined) yield { labels: { source: status.name }, value };
    });

  gauge('roster_source_up', 'Whether a source answered when it was last asked: 1 or 0.', () =>
    figure(({ health }) => (health === 'unknown' ? undefined : Number(health !== 'down'))),
  );
  gauge('roster_source_last_read_timestamp_seconds', 'When a source last answered.', () =>
    figure(({ last_read }) => (last_read === null ? undefined : Date.parse(last_read) / 1000)),
  );
  gauge('roster_source_read_seconds', 'Duration of the last query to a source.', () =>
    figure(({ read_ms }) => read_ms / 1000),
  );
  gauge('roster_source_missing_stations', 'Stations of a source that do not exist.', () =>
    figure(({ missing_stations }) => missing_stations.length),
  );
  gauge('roster_source_alerts', 'Alerts of a source, by whether they are tied to a resource.', () =>
    values(function* ({ name, alerts: { tied, unmatched, ambiguous } }) {
      for (const [tie, value] of Object.entries({ tied, unmatched, ambiguous }))
        yield { labels: { source: name, tie }, value };
    }),
  );
  gauge('roster_source_rules', 'Alerting rules of a source.', () => figure(({ rules }) => rules?.total));
  gauge(
    'roster_source_rules_unresolved',
    'Alerting rules of a source that cannot be resolved to series.',
    () => figure(({ rules }) => rules?.unresolved),
  );
  gauge('roster_source_discovered_resources', 'Resources that a source discovered.', () =>
    figure(({ discovery }) => discovery?.resources),
  );
  gauge('roster_source_missing_resources', 'Discovered resources that no longer have a target.', () =>
    figure(({ discovery }) => discovery?.missing),
  );
  gauge(
    'roster_source_surplus_resources',
    'Resources that targets would make beyond the limit of their source.',
    () => figure(({ discovery }) => discovery?.surplus),
  );
  gauge('roster_source_unmapped_targets', 'Targets of a source whose job has no resource type.', () =>
    figure(({ discovery }) => discovery?.unmapped),
  );
  gauge(
    'roster_source_discovery_stopped',
    'Whether targets could not be read, are too many, or too many are missing to retire any: 1 or 0.',
    () =>
      figure(({ discovery }) =>
        discovery === null ? undefined : Number((discovery.error ?? discovery.refusal) !== null),
      ),
  );
}
