import { type Filters, isNotFound, type StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStation } from '../../api/api.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { useMessages } from '../../messages/messages.ts';
import { formatFilters, openResource, parseFilters } from '../../navigation/filter-search.ts';
import { navigate, useLocation } from '../../navigation/location.ts';
import { stationHref } from '../../navigation/route.ts';
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
import { type RowRange, useResources } from './use-resources.ts';

/** One station: its figures, its resources, and one of them beside. */
export function StationPage({ address }: { readonly address: StationAddress }) {
  const messages = useMessages();
  const { language } = usePreferences();
  const station = useStation(address);
  const { search } = useLocation();
  const { filters, isComplete, openId } = useMemo(() => readView(search), [search]);
  const [range, setRange] = useState<RowRange>({ first: 0, last: 0 });
  const rows = useResources(station, filters, range);
  const fault = useFilterFault(station.path, { search, isComplete, error: rows.error });
  const { revision } = rows;
  const summary = useQuery({
    queryKey: ['summary', station.path, language, filters, revision],
    queryFn: ({ signal }) => station.manage.summary(filters, { signal, revision }),
    enabled: revision !== undefined && !rows.isOutdated,
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const show = useCallback(
    (view: { readonly filters: Filters; readonly openId?: string | undefined }, how?: 'replace') =>
      navigate(viewHref(address, view), how),
    [address],
  );
  const open = useCallback((id: string | undefined) => show({ filters, openId: id }), [show, filters]);
  const filter = useCallback(
    (next: Filters, how?: 'replace') => show({ filters: next, openId }, how),
    [show, openId],
  );
  useEffect(() => {
    document.title = `${address.name} · Roster`;
  }, [address]);

  if (isNotFound(rows.error)) return <NoStation address={address} />;
  return (
    <main className="station-page" id="content">
      <StationHeader address={address} filters={filters} revision={revision} />
      <StationPictures summary={summary.data} filters={filters} onFilter={filter} />
      <section className="resources" aria-label={messages.station.resources}>
        <FilterBar station={station} filters={filters} onFilter={filter} />
        <ActiveFilters filters={filters} fault={fault} summary={summary.data} onFilter={filter} />
        {rows.error && !fault && <ErrorNotice error={rows.error} onRetry={rows.refresh} />}
        <SnapshotLine station={station} rows={rows} />
        <div className="table-and-panel">
          {rows.total === 0 || fault ? (
            <TableEmpty
              address={address}
              filters={filters}
              hasFault={fault !== undefined}
              onFilter={filter}
            />
          ) : (
            <ResourceTable
              key={formatFilters(filters).toString()}
              rows={rows}
              openId={openId}
              onRange={setRange}
              onOpen={open}
            />
          )}
          {openId !== undefined && (
            <ResourcePanel
              key={openId}
              station={station}
              resourceId={openId}
              onClose={() => open(undefined)}
            />
          )}
        </div>
      </section>
    </main>
  );
}

function readView(search: string) {
  const parameters = new URLSearchParams(search);
  return { ...parseFilters(parameters), openId: parameters.get(openResource) || undefined };
}

function viewHref(
  address: StationAddress,
  view: { readonly filters: Filters; readonly openId?: string | undefined },
) {
  const search = formatFilters(view.filters);
  if (view.openId !== undefined) search.set(openResource, view.openId);
  const text = search.toString();
  return stationHref(address) + (text === '' ? '' : `?${text}`);
}
