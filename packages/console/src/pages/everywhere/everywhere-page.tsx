import { useCallback, useMemo, useState } from 'react';
import { useClient } from '../../api/api.tsx';
import { quickMs } from '../../api/refresh-pace.ts';
import { SourceBanner } from '../../components/live/source-banner.tsx';
import { useIsLate } from '../../components/live/use-is-late.ts';
import { usePageTitle } from '../../components/live/use-page-title.ts';
import { addressOf } from '../../format/station-name.ts';
import { useMessages } from '../../messages/messages.ts';
import { viewHref } from '../../navigation/view-search.ts';
import { ViewsMenu } from '../../views/views-menu.tsx';
import { CopyMenu } from '../list/copy/copy-menu.tsx';
import { commonLabelKeys } from '../list/facets/facet-query.ts';
import type { Following } from '../list/live/use-following.ts';
import { ResourceList } from '../list/resource-list.tsx';
import type { Row } from '../list/table/columns.tsx';
import { everywhereSource } from '../list/table/list-source.ts';
import { type List, useList } from '../list/table/use-list.ts';
import { useListView } from '../list/use-list-view.ts';
import { useTurnedRows } from './use-turned-rows.ts';

const lateMs = 10_000;

/** The resources of all stations. No snapshot spans them, so the list is read again and again instead. */
export function EverywherePage() {
  const { everywhere: words } = useMessages();
  const client = useClient();
  const source = useMemo(() => everywhereSource(client), [client]);
  const view = useListView(undefined);
  const [isAtTop, setAtTop] = useState(true);
  const [rewinds, setRewinds] = useState(0);
  const { filters, order } = view;
  // Rows must not move under someone who reads further down.
  const list = useList(source, { filters, order, ...(isAtTop ? { refreshMs: quickMs } : {}) });
  const following = usePolling(list, isAtTop);
  usePageTitle(words.title);
  const hrefOfRow = useCallback(
    ({ station = '', resource_id: openId }: Row) => viewHref(addressOf(station), { filters: {}, openId }),
    [],
  );
  return (
    <main className="station-page" id="content">
      <header className="page-head">
        <div className="page-title">
          <h1>{words.title}</h1>
        </div>
        <div className="actions">
          <ViewsMenu address={undefined} view={{ ...view, filters: view.given }} />
          <CopyMenu address={undefined} view={view} />
        </div>
      </header>
      <SourceBanner />
      <ResourceList
        source={source}
        address={undefined}
        listPath="/roster/v1/resources"
        view={view}
        list={list}
        labelKeys={commonLabelKeys(list.firstPage ?? [])}
        following={following}
        hrefOfRow={hrefOfRow}
        onTop={setAtTop}
        onShow={() => {
          setRewinds(rewinds + 1);
          list.refresh();
        }}
        rewinds={rewinds}
      />
    </main>
  );
}

const nothing = { count: 0, firing: 0, resolved: 0 };

function usePolling(list: List, isAtTop: boolean): Following {
  const isLate = useIsLate(list.readAtMs, lateMs);
  const turned = useTurnedRows(list);
  const hasFailed = list.error !== null;
  return {
    feed: list.readAtMs === undefined ? 'starting' : isLate || hasFailed ? 'late' : 'live',
    asOfMs: list.readAtMs,
    pending: nothing,
    // Whether anything has changed further up is unknown until someone looks.
    hasChanged: !isAtTop,
    turned,
  };
}
