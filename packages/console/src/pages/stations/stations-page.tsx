import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../../api/api.tsx';
import { useSession } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { formatCount } from '../../format/format.ts';
import { useMessages } from '../../messages/messages.ts';
import { Link } from '../../navigation/link.tsx';
import { useLocation } from '../../navigation/location.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { NoStations } from './no-stations.tsx';
import { StationFilterBar } from './station-filter-bar.tsx';
import { readStationFilters } from './station-filters.ts';
import { StationTable } from './station-table.tsx';

const pageSize = 100;
const refreshMs = 15_000;

/** All stations with their alerts and coverage. */
export function StationsPage() {
  const { stations: words, common } = useMessages();
  const { language } = usePreferences();
  const client = useClient();
  const session = useSession();
  const { search } = useLocation();
  const filters = readStationFilters(search);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['stations', filters],
    queryFn: ({ pageParam, signal }) =>
      client.manage.stations({ ...filters, offset: pageParam, size: pageSize }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, stations }) => {
      const next = page.offset + stations.length;
      return next < page.total ? next : undefined;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    staleTime: 0,
  });
  useEffect(() => {
    document.title = `${words.title} · Roster`;
  }, [words]);
  const total = data?.pages[0]?.page.total;
  return (
    <main id="content" className="page">
      <header className="page-head">
        <h1>
          {words.title}{' '}
          {total !== undefined && <span className="quiet numeric">{formatCount(total, language)}</span>}
        </h1>
        {session.may('write_resources') && (
          <Link className="button primary" href="/import">
            <Icon name="upload" />
            <span>{words.import}</span>
          </Link>
        )}
      </header>
      <StationFilterBar filters={filters} />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {total === 0 ? (
        <NoStations filters={filters} />
      ) : (
        <StationTable stations={data?.pages.flatMap(({ stations }) => stations)} />
      )}
      {hasNextPage && (
        <button
          type="button"
          className="button more"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {common.more}
        </button>
      )}
    </main>
  );
}
