import { isForbidden, isNotFound, type StationAddress } from '@roster/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useStation } from '../../api/api.tsx';
import { useDoubt } from '../../api/sources.ts';
import { Forbidden } from '../../components/account/forbidden.tsx';
import { RulesUnread } from '../../components/live/rules-unread.ts';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { withLabel } from '../../navigation/filter-search.ts';
import { onDemand } from '../../on-demand.tsx';
import { usePreferences } from '../../preferences/preferences.ts';
import { commonLabelKeys, facetQuery } from '../list/facets/facet-query.ts';
import { isGroupField } from '../list/groups/group-fields.ts';
import { groupQuery } from '../list/groups/group-query.ts';
import { useAutoRefresh } from '../list/live/use-auto-refresh.ts';
import { useFollowing } from '../list/live/use-following.ts';
import { ResourceList } from '../list/resource-list.tsx';
import { type ListSource, stationSource } from '../list/table/list-source.ts';
import { type List, useList } from '../list/table/use-list.ts';
import { type ListView, useListView } from '../list/use-list-view.ts';
import { figuresQuery } from './charts/figures-query.ts';
import { StationCharts } from './charts/station-charts.tsx';
import { NoStation } from './no-station.tsx';
import { ResourcePanel } from './resource/resource-panel.tsx';
import { resourceQuery } from './resource/use-resource.ts';
import { StationHeader } from './station-header.tsx';
import { isTrendRange } from './trends/trend-ranges.ts';

const TrendsPanel = onDemand(
  async () => (await import('./trends/trends-panel.tsx')).TrendsPanel,
  ({ notice }) => notice ?? <span className="skeleton trend-skeleton" />,
);

interface StationPageProps {
  readonly address: StationAddress;
}

/** A station: charts, table and side panel, all of one snapshot. */
export function StationPage({ address }: StationPageProps) {
  const { language } = usePreferences();
  const station = useStation(address);
  const source = useMemo(() => stationSource(station), [station]);
  const view = useListView(address);
  const { filters, hrefOf } = view;
  const list = useSnapshots(address, source, view);
  const { revision } = list;
  const areRulesUnread = useDoubt(address)?.areRulesUnread ?? false;
  const figures = useQuery({
    ...figuresQuery(station, { language, filters, revision: revision ?? '' }),
    enabled: revision !== undefined,
  });
  usePageTitle(address.name, figures.data?.states.ALERTSTATE_FIRING ?? (figures.data && 0));
  if (isForbidden(list.error)) return <Forbidden />;
  if (isNotFound(list.error)) return <NoStation address={address} />;
  return (
    <main className="station-page" id="content">
      <StationHeader address={address} view={view} revision={revision} />
      <SourceBanner address={address} />
      <StationCharts
        address={address}
        summary={figures.data}
        areRulesUnread={areRulesUnread}
        filters={filters}
        hrefOf={hrefOf}
      />
      {isTrendRange(view.trends) && (
        <TrendsPanel
          station={station}
          view={view}
          range={view.trends}
          now={figures.data && { states: figures.data.states, atMs: list.readAtMs ?? 0 }}
        />
      )}
      <RulesUnread value={areRulesUnread}>
        <Resources address={address} source={source} view={view} list={list} />
      </RulesUnread>
    </main>
  );
}

/** The list; each new snapshot comes with its figures, facets, groups and open resource. */
function useSnapshots(address: StationAddress, source: ListSource, view: ListView): List {
  const { language } = usePreferences();
  const queries = useQueryClient();
  const station = useStation(address);
  const { filters, order, group, openId } = view;
  const [labelKeys, setLabelKeys] = useState<readonly string[]>([]);
  const prepare = async (revision: string | undefined) => {
    if (revision === undefined) return;
    const shown = { filters, revision, version: revision };
    await Promise.all([
      queries.prefetchQuery(figuresQuery(station, { language, filters, revision })),
      queries.prefetchQuery(facetQuery(source, { ...shown, labelKeys })),
      group !== undefined &&
        isGroupField(group) &&
        queries.prefetchQuery(groupQuery(source, { ...shown, field: group })),
      openId !== undefined &&
        queries.prefetchQuery(resourceQuery(station, { language, resourceId: openId, revision })),
    ]);
  };
  const list = useList(source, { filters, order, prepare });
  const keys = commonLabelKeys(list.firstPage ?? []);
  if (keys.join() !== labelKeys.join()) setLabelKeys(keys);
  return list;
}

interface ResourcesProps extends StationPageProps {
  readonly source: ListSource;
  readonly view: ListView;
  readonly list: List;
}

function Resources({ address, source, view, list }: ResourcesProps) {
  const station = useStation(address);
  const { filters, openId, open, hrefWith } = view;
  const [isAtTop, setAtTop] = useState(true);
  const [rewinds, setRewinds] = useState(0);
  const following = useFollowing(station, { filters, revision: list.revision });
  useAutoRefresh({
    isWanted: isAtTop && following.hasChanged,
    isRefreshing: list.isRefreshing,
    refresh: list.refresh,
  });
  const hrefOfRow = useCallback(
    ({ resource_id: id }: { readonly resource_id: string }) => hrefWith({ openId: id }),
    [hrefWith],
  );
  return (
    <ResourceList
      source={source}
      address={address}
      listPath={`/roster/v1/${station.path}/resources`}
      view={view}
      list={list}
      labelKeys={commonLabelKeys(list.firstPage ?? [])}
      following={isAtTop ? { ...following, hasChanged: false } : following}
      hrefOfRow={hrefOfRow}
      onTop={setAtTop}
      onShow={() => {
        setRewinds(rewinds + 1);
        list.refresh();
      }}
      rewinds={rewinds}
    >
      {openId !== undefined && (
        <ResourcePanel
          key={openId}
          station={station}
          list={list}
          resourceId={openId}
          hrefOfLabel={(key, value) =>
            hrefWith({ filters: withLabel(filters, key, value), openId: undefined })
          }
          onClose={() => open(undefined)}
        />
      )}
    </ResourceList>
  );
}
