import { isForbidden, isNotFound, type StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStation } from '../../api/api.tsx';
import { Forbidden } from '../../components/forbidden.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { formatFilters, withLabel } from '../../navigation/filter-search.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { StationCharts } from './charts/station-charts.tsx';
import { ActiveFilters } from './filters/active-filters.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { useFilterError } from './filters/use-filter-error.ts';
import { NoStation } from './no-station.tsx';
import { ResourcePanel } from './resource/resource-panel.tsx';
import { SnapshotLine } from './snapshot-line.tsx';
import { StationHeader } from './station-header.tsx';
import { ResourceTable } from './table/resource-table.tsx';
import { TableEmpty } from './table/table-empty.tsx';
import { type List, useList } from './table/use-list.ts';
import { type StationView, useStationView } from './use-station-view.ts';

interface StationPageProps {
  readonly address: StationAddress;
}

/** A station: charts, table and side panel. */
export function StationPage({ address }: StationPageProps) {
  const { language } = usePreferences();
  const station = useStation(address);
  const view = useStationView(address);
  const { filters, order, hrefOf } = view;
  const list = useList(station, filters, order);
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
      <StationHeader address={address} view={view} revision={revision} />
      <StationCharts summary={summary.data} filters={filters} hrefOf={hrefOf} />
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
  const { filters, order, openId, filter, sort, open } = view;
  const filterError = useFilterError(station.path, { ...view, error: list.error });
  return (
    <section className="resources" aria-label={words.resources}>
      <FilterBar station={station} filters={filters} hasLabels={list.hasLabels} onFilter={filter} />
      <ActiveFilters station={station} filters={filters} error={filterError} onFilter={filter} />
      {list.error && !filterError && <ErrorNotice error={list.error} onRetry={list.refresh} />}
      {!filterError && <SnapshotLine station={station} list={list} view={view} />}
      <div className="table-and-panel">
        {list.total === 0 || filterError ? (
          <TableEmpty
            address={address}
            filters={filters}
            hints={list.hints}
            hasError={filterError !== undefined}
            onFilter={filter}
          />
        ) : (
          <ResourceTable
            key={formatFilters(filters).toString()}
            list={list}
            order={order}
            openId={openId}
            onSort={sort}
            onOpen={open}
          />
        )}
        {openId !== undefined && (
          <ResourcePanel
            key={openId}
            station={station}
            resourceId={openId}
            hrefOfLabel={(key, value) =>
              viewHref(address, { filters: withLabel(filters, key, value), order })
            }
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </section>
  );
}
