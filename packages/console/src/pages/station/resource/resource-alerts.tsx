import { type Alert, type Source, type StationAddress, stationPath } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useStation } from '../../../api/api.tsx';
import { useSources, useStatesAsOf } from '../../../api/sources.ts';
import { ExternalLink } from '../../../components/external-link.tsx';
import { Labels } from '../../../components/labels.tsx';
import { Age } from '../../../components/live/age.tsx';
import { ErrorNotice } from '../../../components/notice.tsx';
import { StateMark } from '../../../components/state-mark.tsx';
import { Text } from '../../../components/text.tsx';
import { formatBoth, formatLocalAndUtc } from '../../../format/clock.ts';
import { formatTime } from '../../../format/format.ts';
import { fullState } from '../../../format/state.ts';
import { useMessages } from '../../../messages/messages.ts';
import { managerLinks, silenceLink, webUrl } from './alert-links.ts';

const refreshMs = 2_000;

interface ResourceAlertsProps {
  readonly address: StationAddress;
  readonly resourceId: string;
}

/** The alerts of a resource, and the sources of its station, without which there are none. */
export function useResourceAlerts({ address, resourceId }: ResourceAlertsProps) {
  const station = useStation(address);
  const path = stationPath(address).replace(/^\//, '');
  const sources = useSources().data?.filter(({ stations }) => stations.includes(path)) ?? [];
  const alerts = useQuery({
    queryKey: ['alerts', station.path, resourceId],
    queryFn: ({ signal }) => station.manage.alerts(resourceId, { signal }),
    refetchInterval: refreshMs,
    staleTime: 0,
    enabled: sources.length > 0,
  });
  return { sources, alerts };
}

/** The alerts behind the state, as the sources of the station tell them. */
export function ResourceAlerts(props: ResourceAlertsProps) {
  const { sources, alerts } = useResourceAlerts(props);
  const { data, error, refetch } = alerts;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {data === undefined && !error && <span className="skeleton" />}
      {data?.length === 0 && <NoAlerts address={props.address} />}
      <ul className="resource-alerts">
        {data?.map((alert) => (
          <li key={alert.fingerprint}>
            <AlertDetails alert={alert} sources={sources} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NoAlerts({ address }: Pick<ResourceAlertsProps, 'address'>) {
  const { alerts: words } = useMessages();
  const asOf = useStatesAsOf(address);
  const isOld = typeof asOf === 'number';
  return (
    <p className="quiet">
      {asOf === 'now' && words.none}
      {asOf === 'unknown' && words.noneKnown}
      {isOld && words.noneKnownAt(formatLocalAndUtc(new Date(asOf).toISOString()))}
    </p>
  );
}

interface AlertDetailsProps {
  readonly alert: Alert;
  readonly sources: readonly Source[];
}

function AlertDetails({ alert, sources }: AlertDetailsProps) {
  const { alerts: words } = useMessages();
  const { alertname, ...labels } = alert.labels;
  const generator = alert.generator_url === undefined ? undefined : webUrl(alert.generator_url);
  return (
    <>
      <header>
        <h3>
          <Text value={alertname ?? words.unnamed} />
        </h3>
        <StateMark state={fullState(alert.state)} />
        <Age time={alert.since} />
        <span className="quiet">{words.from(alert.sources.join(', '))}</span>
      </header>
      <Labels labels={labels} />
      <Annotations annotations={alert.annotations} />
      <Silences alert={alert} sources={sources} />
      {alert.inhibited_by.length > 0 && <p>{words.inhibited(alert.inhibited_by.length)}</p>}
      <p className="alert-links">
        {generator !== undefined && <ExternalLink href={generator}>{words.expression}</ExternalLink>}
        {managerLinks(alert, sources).map(({ name, href }) => (
          <ExternalLink key={name} href={href}>
            {words.inManager(name)}
          </ExternalLink>
        ))}
      </p>
    </>
  );
}

/** Some are links, to a runbook or a dashboard. */
function Annotations({ annotations }: Pick<Alert, 'annotations'>) {
  return (
    <dl className="annotations">
      {Object.entries(annotations).map(([name, value]) => {
        const href = webUrl(value);
        return (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <bdi>{href === undefined ? value : <ExternalLink href={href}>{value}</ExternalLink>}</bdi>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Silences({ alert, sources }: AlertDetailsProps) {
  const { alerts: words } = useMessages();
  return alert.silences.map(({ id, created_by, comment, until }) => {
    const href = silenceLink(alert, id, sources);
    const text = words.silenced(created_by, until === null ? undefined : formatTime(until));
    return (
      <p key={id} title={until === null ? undefined : formatBoth(Date.parse(until))}>
        {href === undefined ? text : <ExternalLink href={href}>{text}</ExternalLink>}{' '}
        <bdi className="quiet">{comment}</bdi>
      </p>
    );
  });
}
