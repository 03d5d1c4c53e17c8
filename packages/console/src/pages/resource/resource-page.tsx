import { isForbidden, isNotFound, type StationAddress, type StoredResource } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useStation } from '../../api/api.tsx';
import { useSession } from '../../api/session.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { Empty } from '../../components/empty.tsx';
import { Icon } from '../../components/icon.tsx';
import { LiveStatus } from '../../components/live/live-status.tsx';
import { useIsLate } from '../../components/live/use-is-late.ts';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { Text } from '../../components/text.tsx';
import { stateTone } from '../../format/state.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { stationHref } from '../../navigation/route.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { ResourceChanges } from '../station/resource/resource-changes.tsx';
import { ResourceFields } from '../station/resource/resource-fields.tsx';
import { ResourceJson } from '../station/resource/resource-json.tsx';
import { LastDay } from './last-day.tsx';
import { RemoveButton } from './remove-button.tsx';

const refreshMs = 1_000;
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
    refetchInterval: refreshMs,
    staleTime: 0,
  });
  const asOfMs = data === undefined ? undefined : dataUpdatedAt;
  const isLate = useIsLate(asOfMs, lateMs);
  usePageTitle(data?.display_name ?? resourceId, data && stateTone(data.state) === 'firing' ? 1 : 0);
  if (isForbidden(error)) return <Forbidden />;
  if (isNotFound(error)) {
    return (
      <main id="content" className="page">
        <Empty isPage title={words.gone}>
          <Link className="button" href={stationHref(address)}>
            <Text value={address.name} />
          </Link>
        </Empty>
      </main>
    );
  }
  return (
    <main id="content" className="page">
      <Header address={address} resourceId={resourceId} resource={data}>
        <LiveStatus asOfMs={asOfMs} feed={isLate || error !== null ? 'late' : 'live'} />
      </Header>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {data === undefined ? <span className="skeleton" /> : <Details address={address} resource={data} />}
    </main>
  );
}

interface HeaderProps extends ResourcePageProps {
  /** Undefined while loading. */
  readonly resource: StoredResource | undefined;
  readonly children: ReactNode;
}

function Header({ address, resourceId, resource, children }: HeaderProps) {
  const { nav } = useMessages();
  const session = useSession();
  const { subscription, resourceGroup, zone, name } = address;
  return (
    <header className="page-head">
      <div className="page-title">
        <nav className="crumbs" aria-label={nav.crumbs}>
          <Link href="/stations">{nav.stations}</Link>
          {[subscription, resourceGroup, zone].map((each, at) => (
            <span key={at}>
              <Icon name="arrow" />
              <Text value={each} />
            </span>
          ))}
          <span>
            <Icon name="arrow" />
            <Link href={stationHref(address)}>
              <Text value={name} />
            </Link>
          </span>
        </nav>
        <h1>
          <Text value={resource?.display_name ?? resourceId} />
        </h1>
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
  const { panel: words, resource: pageWords } = useMessages();
  const station = useStation(address);
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
        <section className="card stack">
          <h2>{pageWords.lastDay}</h2>
          <LastDay station={station} resource={resource} />
        </section>
        <section className="card stack">
          <h2>{words.changes}</h2>
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
