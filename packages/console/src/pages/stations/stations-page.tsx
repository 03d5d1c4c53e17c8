import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { refreshPace } from '../../api/refresh-pace.ts';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { LiveStatus } from '../../components/live/live-status.tsx';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { useIsLate } from '../../components/live/use-is-late.ts';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { useLocation } from '../../navigation/location.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { NoStations } from './no-stations.tsx';
import { StationFilterBar } from './station-filter-bar.tsx';
import { readStationFilters } from './station-filters.ts';
import { orderParameter, parseStationOrder, sortStations } from './station-order.ts';
import { StationTable } from './station-table.tsx';

const firstShown = 200;
const lateMs = 15_000;

/** All stations with their alerts and coverage. */
export function StationsPage() {
  const { stations: words, common } = useMessages();
  const { language } = usePreferences();
  const { manage } = useClient();
  const session = useSession();
  const { search, searchParams } = useLocation();
  const filters = readStationFilters(search);
  const orderBy = searchParams.get(orderParameter) ?? '';
  const [shown, setShown] = useState(firstShown);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['stations', filters],
    queryFn: ({ signal }) => Array.fromAsync(manage.allStations(filters, { signal })),
    refetchInterval: ({ state }) => refreshPace(state.data?.length ?? 0),
    staleTime: 0,
  });
  const sorted = useMemo(() => data && sortStations(data, parseStationOrder(orderBy)), [data, orderBy]);
  const firing = data?.reduce((sum, { resources }) => sum + (resources.states.ALERTSTATE_FIRING ?? 0), 0);
  usePageTitle(words.title, error === null ? firing : 'unknown');
  const asOfMs = data === undefined ? undefined : dataUpdatedAt;
  const isLate = useIsLate(asOfMs, lateMs);
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>
          {words.title}{' '}
          {data !== undefined && <span className="quiet numeric">{formatCount(data.length, language)}</span>}
        </h1>
        <div className="actions">
          <LiveStatus asOfMs={asOfMs} feed={isLate || error !== null ? 'late' : 'live'} />
          {session.may('write_resources') && (
            <Link className="button primary" href="/import">
              <Icon name="upload" />
              <span>{words.import}</span>
            </Link>
          )}
        </div>
      </header>
      <StationFilterBar filters={filters} />
      <SourceBanner />
      {error && <ErrorNotice error={error} onRetry={refetch} hasData={data !== undefined} />}
      {data?.length === 0 ? (
        <NoStations filters={filters} />
      ) : (
        <StationTable stations={sorted?.slice(0, shown)} order={parseStationOrder(orderBy)} />
      )}
      {sorted !== undefined && sorted.length > shown && (
        <button type="button" className="button more" onClick={() => setShown(shown + firstShown)}>
          {common.more}
        </button>
      )}
    </main>
  );
}
