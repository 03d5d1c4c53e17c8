import { isForbidden, isNotFound, type StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStation } from '../../api/api.tsx';
import { Forbidden } from '../../components/forbidden.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { formatFilters } from '../../navigation/filter-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { ActiveFilters } from './active-filters.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NoStation } from './no-station.tsx';
import { ResourcePanel } from './resource-panel.tsx';
import { ResourceTable } from './resource-table.tsx';
import { SnapshotLine } from './snapshot-line.tsx';
import { StationHeader } from './station-header.tsx';
import { StationPictures } from './station-pictures.tsx';
import { TableEmpty } from './table-empty.tsx';
import { useFilterFault } from './use-filter-fault.ts';
import { type List, useList } from './use-list.ts';
import { type StationView, useStationView } from './use-station-view.ts';

interface StationPageProps {
  readonly address: StationAddress;
}

/** One station: its figures, its resources, and one of them beside. */
export function StationPage({ address }: StationPageProps) {
  const { language } = usePreferences();
  const station = useStation(address);
  const view = useStationView(address);
  const { filters } = view;
  const list = useList(station, filters);
  const { revision } = list;
  const summary = useQuery({
    queryKey: ['summary', station.path, language, filters, revision],
    queryFn: ({ signal }) => station.manage.summary(filters, { signal, revision }),
    enabled: revision !== undefined && !list.isOutdated,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    document.title = `${address.name} · Roster`;
  }, [address]);

  if (isForbidden(list.error)) return <Forbidden />;
  if (isNotFound(list.error)) return <NoStation address={address} />;
  return (
    <main className="station-page" id="content">
      <StationHeader address={address} filters={filters} revision={revision} />
      <StationPictures summary={summary.data} filters={filters} onFilter={view.filter} />
      <Resources address={address} view={view} list={list} />
    </main>
  );
}

interface ResourcesProps extends StationPageProps {
  readonly view: StationView;
  readonly list: List;
}

function Resources({ address, view, list }: ResourcesProps) {
  const { station: words } = useMessages();
  const station = useStation(address);
  const { filters, openId, filter, open } = view;
  const fault = useFilterFault(station.path, { ...view, error: list.error });
  return (
    <section className="resources" aria-label={words.resources}>
      <FilterBar station={station} filters={filters} onFilter={filter} />
      <ActiveFilters station={station} filters={filters} fault={fault} onFilter={filter} />
      {list.error && !fault && <ErrorNotice error={list.error} onRetry={list.refresh} />}
      {!fault && <SnapshotLine station={station} list={list} />}
      <div className="table-and-panel">
        {list.total === 0 || fault ? (
          <TableEmpty address={address} filters={filters} hasFault={fault !== undefined} onFilter={filter} />
        ) : (
          <ResourceTable key={formatFilters(filters).toString()} list={list} openId={openId} onOpen={open} />
        )}
        {openId !== undefined && (
          <ResourcePanel key={openId} station={station} resourceId={openId} onClose={() => open(undefined)} />
        )}
      </div>
    </section>
  );
}
