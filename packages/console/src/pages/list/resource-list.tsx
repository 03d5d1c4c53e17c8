import type { StationAddress } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AsOf } from '../../components/live/as-of.tsx';
import type { LiveStatusProps } from '../../components/live/live-status.tsx';
import { ErrorNotice, Notice } from '../../components/notice.tsx';
import { PageSkipLink } from '../../components/skip-link.tsx';
import { useMessages } from '../../messages/messages.ts';
import { formatFilters } from '../../navigation/filter-search.ts';
import { FacetPanel } from './facets/facet-panel.tsx';
import { facetQuery } from './facets/facet-query.ts';
import { ActiveFilters } from './filters/active-filters.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { useFilterError } from './filters/use-filter-error.ts';
import { isGroupField } from './groups/group-fields.ts';
import { GroupView } from './groups/group-view.tsx';
import type { Following } from './live/use-following.ts';
import { SnapshotLine } from './snapshot-line.tsx';
import type { Row } from './table/columns.tsx';
import type { ListSource } from './table/list-source.ts';
import { ResourceTable } from './table/resource-table.tsx';
import { TableEmpty } from './table/table-empty.tsx';
import { useEmptyColumns } from './table/use-empty-columns.ts';
import type { List } from './table/use-list.ts';
import type { ListView } from './use-list-view.ts';

interface ResourceListProps {
  readonly source: ListSource;
  /** Undefined for all stations. */
  readonly address: StationAddress | undefined;
  /** Where the server lists these resources. */
  readonly listPath: string;
  readonly view: ListView;
  readonly list: List;
  readonly labelKeys: readonly string[];
  readonly following: Following;
  readonly hrefOfRow: (resource: Row) => string;
  /** Called when the first rows come into view or leave it. */
  readonly onTop: (isAtTop: boolean) => void;
  /** Shows the newest, from the top. */
  readonly onShow: () => void;
  /** Differs whenever the table is to return to its top. */
  readonly rewinds: number;
  /** Beside the table. */
  readonly children?: ReactNode;
}

/** Filters, facets and the table of a list, or its groups. */
export function ResourceList(props: ResourceListProps) {
  const { source, address, listPath, view, list, labelKeys, following, onShow, children } = props;
  const { station: words, nav, past } = useMessages();
  const { filters, order, group, filter, groupBy, hrefOf } = view;
  const isEverywhere = address === undefined;
  const isGrouped = group !== undefined && isGroupField(group);
  const filterError = useFilterError(listPath, { ...view, error: list.error });
  const { revision, version } = list;
  const facets = useQuery({
    ...facetQuery(source, { filters, labelKeys, revision, version }),
    enabled: version !== '',
  });
  const { firstPage } = list;
  const empty = useEmptyColumns({ key: source.key, filters, firstPage, facets: facets.data });
  const live = useLive(list, following);
  const panel = <FacetPanel facets={facets.data} filters={filters} hrefOf={hrefOf} />;
  return (
    <section className="resources" aria-label={words.resources}>
      <PageSkipLink to="list">{nav.skipToList}</PageSkipLink>
      <FilterBar
        filters={filters}
        group={group}
        isEverywhere={isEverywhere}
        labelKeys={labelKeys}
        emptyColumns={empty}
        facets={panel}
        onFilter={filter}
        onGroup={groupBy}
      />
      {group !== undefined && !isGrouped && <Notice tone="warning">{past.unreadable('group_by')}</Notice>}
      <ActiveFilters filters={view.given} error={filterError} onFilter={filter} />
      {list.error && !filterError && (
        <ErrorNotice error={list.error} onRetry={list.refresh} hasData={list.total !== undefined} />
      )}
      {!filterError && (
        <SnapshotLine
          address={address}
          list={list}
          order={isGrouped ? undefined : order}
          following={following}
          live={live}
          onShow={onShow}
        />
      )}
      <AsOf {...live}>
        <div className="table-and-panel">
          {!filterError && <div className="wide-facets">{panel}</div>}
          {list.total === 0 || filterError ? (
            <TableEmpty
              source={source}
              address={address}
              filters={filters}
              hints={list.hints}
              hasError={filterError !== undefined}
              onFilter={filter}
            />
          ) : isGrouped ? (
            <GroupView
              key={`${group} ${formatFilters(filters)}`}
              source={source}
              view={view}
              list={list}
              field={group}
            />
          ) : (
            <Table key={formatFilters(filters).toString()} {...props} emptyColumns={empty} />
          )}
          {children}
        </div>
      </AsOf>
    </section>
  );
}

/** As of when the rows are: what has changed since is held back. */
function useLive(
  list: List,
  { feed, asOfMs, hasChanged }: Following,
): Pick<LiveStatusProps, 'asOfMs' | 'feed'> {
  const [lastCurrentAtMs, setLastCurrentAtMs] = useState<number | undefined>(undefined);
  // Ages do not go back to what was last heard before the rows were read.
  const currentAtMs = hasChanged ? lastCurrentAtMs : latest(asOfMs, list.readAtMs);
  if (currentAtMs !== lastCurrentAtMs) setLastCurrentAtMs(currentAtMs);
  return { asOfMs: currentAtMs, feed: hasChanged && feed === 'live' ? 'paused' : feed };
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

interface TableProps extends ResourceListProps {
  readonly emptyColumns: ReadonlySet<string>;
}

function Table(props: TableProps) {
  const { address, view, list, emptyColumns, following, hrefOfRow, onTop, rewinds } = props;
  return (
    <ResourceTable
      list={list}
      order={view.order}
      isEverywhere={address === undefined}
      emptyColumns={emptyColumns}
      openId={view.openId}
      turned={following.turned}
      hrefOf={hrefOfRow}
      onSort={view.sort}
      onTop={onTop}
      rewinds={rewinds}
    />
  );
}
