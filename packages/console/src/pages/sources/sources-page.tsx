import type { Source, SourceDiscovery } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/api.tsx';
import { useSources } from '../../api/sources.ts';
import { Empty } from '../../components/empty.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { Text } from '../../components/text.tsx';
import { formatCount, formatTime } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';

const maxShown = 100;

/** Where states come from: health, last reading, and what is not tied. */
export function SourcesPage() {
  const { sources: words } = useMessages();
  const { data, error, refetch } = useSources();
  usePageTitle(words.title);
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>{words.title}</h1>
      </header>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
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
            <tr key={name}>
              <td className="strong">
                <Text value={name} />
              </td>
              <td>{words.healths[health]}</td>
              <td>{last_read === null ? words.never : formatTime(last_read)}</td>
              <td className="number">{formatCount(alerts.total, language)}</td>
              <td className="number">{formatCount(alerts.unmatched + alerts.ambiguous, language)}</td>
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

/** What is wrong with a source; nothing if all is well. */
function SourceDetails({ source }: { readonly source: Source }) {
  const { sources: words } = useMessages();
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
    <section>
      <h2>
        <Text value={name} />
      </h2>
      {error !== null && down_since !== null && (
        <Notice tone="warning">
          {words.down(formatTime(down_since))} <Text value={error} />
        </Notice>
      )}
      {warnings.map((warning) => (
        <Notice key={warning} tone="info">
          <Text value={warning} />
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
                <Text value={rule.name} className="strong" /> <Text value={rule.reason} />
              </li>
            ))}
          </ul>
        </>
      )}
      {discovery !== null && <Discovery discovery={discovery} />}
    </section>
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
              <Text value={reason} />
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
