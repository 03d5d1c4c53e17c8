import { isForbidden, isNotFound, type StationAddress, type StoredResource } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStation } from '../../api/api.tsx';
import { quickMs } from '../../api/refresh-pace.ts';
import { useSession } from '../../api/session.ts';
import { useDoubt } from '../../api/sources.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { Empty } from '../../components/empty.tsx';
import { Age } from '../../components/live/age.tsx';
import { AsOf } from '../../components/live/as-of.tsx';
import { LiveStatus } from '../../components/live/live-status.tsx';
import { RulesUnread } from '../../components/live/rules-unread.ts';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { useIsLate } from '../../components/live/use-is-late.ts';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { ResourceState } from '../../components/state-mark.tsx';
import { StationCrumbs } from '../../components/station-crumbs.tsx';
import { Text } from '../../components/text.tsx';
import { stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import { changesHref } from '../../navigation/changes-search.ts';
import { Link } from '../../navigation/link.tsx';
import { stationHref } from '../../navigation/route.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { Removal } from '../station/resource/removal.tsx';
import { ResourceAlerts, useResourceAlerts } from '../station/resource/resource-alerts.tsx';
import { ResourceChanges } from '../station/resource/resource-changes.tsx';
import { ResourceFields } from '../station/resource/resource-fields.tsx';
import { ResourceJson } from '../station/resource/resource-json.tsx';
import { LastDay } from './last-day.tsx';
import { RemoveButton } from './remove-button.tsx';

const lateMs = 8_000;

interface ResourcePageProps {
  readonly address: StationAddress;
  readonly resourceId: string;
}

/** All that is known of one resource, as it is now. */
export function ResourcePage({ address, resourceId }: ResourcePageProps) {
  const { panel: words } = useMessages();
  const { language } = usePreferences();
  const station = useStation(address);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['resource', station.path, language, resourceId, 'now'],
    queryFn: ({ signal }) => station.manage.resource(resourceId, { signal }),
    refetchInterval: quickMs,
    staleTime: 0,
  });
  const areRulesUnread = useDoubt(address)?.areRulesUnread ?? false;
  const asOfMs = data === undefined ? undefined : dataUpdatedAt;
  const isLate = useIsLate(asOfMs, lateMs);
  const live = { asOfMs, feed: isLate || error !== null ? 'late' : 'live' } as const;
  const firing = data && Number(stateTone(data.state) === 'firing');
  const isUnsure = error !== null && !isNotFound(error);
  usePageTitle(data?.display_name ?? resourceId, isUnsure ? 'unknown' : firing);
  if (isForbidden(error)) return <Forbidden />;
  if (isNotFound(error)) {
    return (
      <main id="content" className="page">
        <Empty isPage title={words.gone}>
          <Text value={resourceId} className="mono" />
          <Removal station={station} resourceId={resourceId} />
          <Link className="button" href={stationHref(address)}>
            <Text value={address.name} />
          </Link>
        </Empty>
      </main>
    );
  }
  return (
    <RulesUnread value={areRulesUnread}>
      <AsOf {...live}>
        <main id="content" className="page">
          <Header address={address} resourceId={resourceId} resource={data}>
            <LiveStatus {...live} address={address} />
          </Header>
          <SourceBanner address={address} />
          {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
          {data === undefined ? <span className="skeleton" /> : <Details address={address} resource={data} />}
        </main>
      </AsOf>
    </RulesUnread>
  );
}

interface HeaderProps extends ResourcePageProps {
  /** Undefined while loading. */
  readonly resource: StoredResource | undefined;
  readonly children: ReactNode;
}

function Header({ address, resourceId, resource, children }: HeaderProps) {
  const session = useSession();
  return (
    <header className="page-head">
      <div className="page-title">
        <StationCrumbs address={address} isBelow />
        <h1>
          <Text value={resource?.display_name ?? resourceId} />
        </h1>
        {resource && (
          <p className="state-and-age">
            <ResourceState resource={resource} /> <Age time={resource.state_since} />
          </p>
        )}
      </div>
      <div className="actions">
        {children}
        {resource && session.may('write_resources') && <RemoveButton address={address} resource={resource} />}
      </div>
    </header>
  );
}

interface DetailsProps {
  readonly address: StationAddress;
  readonly resource: StoredResource;
}

function Details({ address, resource }: DetailsProps) {
  const { panel: words, resource: pageWords, past, alerts: alertWords } = useMessages();
  const station = useStation(address);
  const { sources } = useResourceAlerts({ address, resourceId: resource.resource_id });
  return (
    <div className="resource-page">
      <section className="card">
        <h2>{words.fields}</h2>
        <ResourceFields
          resource={resource}
          hrefOfLabel={(key, value) => viewHref(address, { filters: { labels: { [key]: [value] } } })}
        />
      </section>
      <div className="stack">
        {sources.length > 0 && (
          <section className="card stack">
            <h2>{alertWords.title}</h2>
            <ResourceAlerts address={address} resourceId={resource.resource_id} />
          </section>
        )}
        <section className="card stack">
          <h2>{pageWords.lastDay}</h2>
          <LastDay station={station} resource={resource} />
        </section>
        <section className="card stack">
          <h2>{words.changes}</h2>
          <p>
            <Link href={changesHref(address, { filters: { resourceIds: [resource.resource_id] } })}>
              {past.ofResource}
            </Link>
          </p>
          <ResourceChanges station={station} resourceId={resource.resource_id} revision={resource.revision} />
        </section>
        <section className="card">
          <details>
            <summary>{words.json}</summary>
            <ResourceJson resource={resource} />
          </details>
        </section>
      </div>
    </div>
  );
}
