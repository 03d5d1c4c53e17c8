import type { Source, SourceDiscovery } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../../api/api.tsx';
import { useSources } from '../../api/sources.ts';
import { Empty } from '../../components/empty.tsx';
import { Icon, type IconName } from '../../components/icon.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { Text } from '../../components/text.tsx';
import { UtcTime } from '../../components/utc-time.tsx';
import { formatBoth } from '../../format/clock.ts';
import { formatCount, formatTime } from '../../format/format.ts';
import { withShortStations } from '../../format/station-name.ts';
import { useMessages } from '../../messages/messages.ts';
import { asSentence, sourceReasonIn } from '../../messages/server-sentences.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const maxShown = 100;

/** Where states come from: health, last reading, and what is not tied. */
export function SourcesPage() {
  const { sources: words } = useMessages();
  const { data: sources, error, refetch } = useSources();
  const data = useMemo(() => sources?.toSorted(byHealth), [sources]);
  const down = data?.filter(({ health }) => health === 'down').length ?? 0;
  usePageTitle(words.title);
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>{words.title}</h1>
        {down > 0 && (
          <p className="live-status lost">
            <Icon name="alert" /> {words.downCount(down)}
          </p>
        )}
      </header>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {data?.length === 0 ? <Empty title={words.none} /> : <SourceTable sources={data} />}
      {data?.map((source) => (
        <SourceDetails key={source.name} source={source} />
      ))}
    </main>
  );
}

function SourceTable({ sources }: { readonly sources: readonly Source[] | undefined }) {
  const { sources: words } = useMessages();
  const { language } = usePreferences();
  return (
    <div className="scroll-x">
      <table className="plain-table" aria-busy={sources === undefined}>
        <thead>
          <tr>
            <th>{words.name}</th>
            <th>{words.health}</th>
            <th>{words.lastRead}</th>
            <th className="number">{words.alerts}</th>
            <th className="number">{words.untied}</th>
            <th className="number">{words.rules}</th>
            <th className="number">{words.unresolved}</th>
            <th className="number">{words.discovered}</th>
            <th className="number">{words.missing}</th>
          </tr>
        </thead>
        <tbody>
          {sources?.map(({ name, health, last_read, alerts, rules, discovery }) => (
            <tr key={name} className={health === 'down' ? 'is-down' : undefined}>
              <td className="strong">
                <Text value={name} />
              </td>
              <td>
                <Health health={health} />
              </td>
              <td>{last_read === null ? words.never : <UtcTime time={last_read} />}</td>
              <td className="number">{formatCount(alerts.total, language)}</td>
              <Untied count={alerts.unmatched + alerts.ambiguous} />
              <td className="number">{rules === null ? '' : formatCount(rules.total, language)}</td>
              <td className="number">{rules === null ? '' : formatCount(rules.unresolved, language)}</td>
              <td className="number">
                {discovery === null ? '' : formatCount(discovery.resources, language)}
              </td>
              <td className="number">{discovery === null ? '' : formatCount(discovery.missing, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const marks = {
  up: { tone: 'inactive', icon: 'check' },
  down: { tone: 'firing', icon: 'alert' },
  no_station: { tone: 'pending', icon: 'alert' },
  unknown: { tone: 'pending', icon: 'clock' },
} as const satisfies Record<Source['health'], { tone: string; icon: IconName }>;

function Health({ health }: Pick<Source, 'health'>) {
  const { sources: words } = useMessages();
  const { tone, icon } = marks[health];
  return (
    <span className={`state-mark strong tone-${tone}`}>
      <Icon name={icon} />
      {words.healths[health]}
    </span>
  );
}

/** Alerts that no list shows are nothing to be calm about. */
function Untied({ count }: { readonly count: number }) {
  const { language } = usePreferences();
  return (
    <td className={count === 0 ? 'number quiet' : 'number strong tone-pending'}>
      {formatCount(count, language)}
    </td>
  );
}

/** The worst first; those that are equal by name. */
const ranks = { down: 0, no_station: 1, unknown: 2, up: 3 } as const satisfies Record<
  Source['health'],
  number
>;

function byHealth(a: Source, b: Source): number {
  return ranks[a.health] - ranks[b.health] || (a.name < b.name ? -1 : 1);
}

/** What is wrong with a source; nothing if all is well. */
function SourceDetails({ source }: { readonly source: Source }) {
  const { sources: words } = useMessages();
  const { language } = usePreferences();
  const client = useClient();
  const { name, error, down_since, alerts, rules, warnings, discovery } = source;
  const hasUntied = alerts.unmatched + alerts.ambiguous > 0;
  const unmatched = useQuery({
    queryKey: ['unmatched', name, alerts.unmatched, alerts.ambiguous],
    queryFn: ({ signal }) => client.manage.unmatched(name, { signal }),
    enabled: hasUntied,
  });
  const unresolved = rules?.examples ?? [];
  const isCalm = error === null && !hasUntied && unresolved.length === 0 && warnings.length === 0;
  if (isCalm && (discovery === null || isSettled(discovery))) return null;
  return (
    <section className="card stack source-details">
      <h2>
        <Text value={name} />
      </h2>
      {error !== null && down_since !== null && (
        <Notice tone="error">
          <span title={formatBoth(Date.parse(down_since))}>{words.down(formatTime(down_since))}</span>{' '}
          <Reason text={error} />
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="info">
          <Reason text={warning} isAlone />
        </Notice>
      ))}
      {unmatched.data && (
        <>
          <h3>{words.untied}</h3>
          <ul>
            {unmatched.data.slice(0, maxShown).map(({ labels, reason, candidates }) => (
              <li key={JSON.stringify(labels)}>
                <Text value={JSON.stringify(labels)} className="mono" /> {words.reasons[reason]}{' '}
                <Text value={candidates.join(', ')} />
              </li>
            ))}
          </ul>
        </>
      )}
      {unresolved.length > 0 && (
        <>
          <h3>{words.unresolved}</h3>
          <ul>
            {unresolved.map((rule) => (
              <li key={rule.name + rule.reason}>
                <Text value={rule.name} className="strong" />{' '}
                <Text value={sourceReasonIn(language, rule.reason)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {discovery !== null && <Discovery discovery={discovery} />}
    </section>
  );
}

/** What the server says of a source; on hover as it was said. */
function Reason({ text, isAlone = false }: { readonly text: string; readonly isAlone?: boolean }) {
  const { language } = usePreferences();
  const reason = withShortStations(sourceReasonIn(language, text));
  return (
    <bdi className="text" title={text}>
      {isAlone ? asSentence(reason) : reason}
    </bdi>
  );
}

function isSettled({ unmapped, unusable, refusal, error }: SourceDiscovery): boolean {
  return unmapped + unusable === 0 && refusal === null && error === null;
}

/** Why targets do not become resources, and resources do not go with their targets. */
function Discovery({ discovery }: { readonly discovery: SourceDiscovery }) {
  const { sources: words } = useMessages();
  const { language } = usePreferences();
  const { error, refusal, unmapped_jobs, examples } = discovery;
  return (
    <>
      {[error, refusal].map(
        (reason) =>
          reason !== null && (
            <Notice key={reason} tone="warning">
              <Reason text={reason} isAlone />
            </Notice>
          ),
      )}
      {unmapped_jobs.length > 0 && (
        <>
          <h3>{words.unmappedJobs}</h3>
          <ul>
            {unmapped_jobs.map(({ job, targets }) => (
              <li key={job}>
                <Text value={job} className="strong" />{' '}
                {words.unmappedJob(targets, formatCount(targets, language))}
              </li>
            ))}
          </ul>
        </>
      )}
      {examples.length > 0 && (
        <>
          <h3>{words.unusable}</h3>
          <ul>
            {examples.map(({ labels, reason }) => (
              <li key={JSON.stringify(labels)}>
                <Text value={JSON.stringify(labels)} className="mono" /> <Text value={reason} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
