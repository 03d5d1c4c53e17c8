import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ErrorNotice } from '../../../components/notice.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { formatOrder, type Order } from '../../../navigation/order-search.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { isColumnShown } from './column-choice.ts';
import { columnLayout, columns } from './columns.tsx';
import { ResourceRow, rowId } from './resource-row.tsx';
import { RowWindow } from './row-window.ts';
import { TableHead } from './table-head.tsx';
import type { List } from './use-list.ts';
import { useRows } from './use-rows.ts';
import { useViewport } from './use-viewport.ts';

/** Extra rows rendered above and below the viewport. */
const overscan = 5;
const headHeight = 34;
const rowHeights = { compact: 32, comfortable: 44 } as const;

interface ResourceTableProps {
  readonly list: List;
  readonly order: Order;
  readonly openId: string | undefined;
  readonly onSort: (order: Order) => void;
  readonly onOpen: (resourceId: string) => void;
}

/** A virtualised grid. The focus stays on the grid, which names the active row with `aria-activedescendant`. */
export function ResourceTable({ list, order, openId, onSort, onOpen }: ResourceTableProps) {
  const messages = useMessages();
  const preferences = usePreferences();
  const { density } = preferences;
  const { hasLabels } = list;
  const shown = useMemo(
    () => columns.filter(({ id }) => isColumnShown(id, preferences, hasLabels)),
    [preferences, hasLabels],
  );
  const { tracks, minWidth } = columnLayout(shown);
  const total = list.total ?? placeholderRows;
  const { scroller, viewport, rowWindow, first, last, active, setActive, moveBy, toTop } = useRowWindow(
    total,
    rowHeights[density],
  );
  const orderBy = formatOrder(order);
  // Another order starts at the top.
  useEffect(toTop, [orderBy, toTop]);
  const rows = useRows(list, { first, last });
  const choose = useCallback(
    (index: number, resourceId: string) => {
      setActive(index);
      onOpen(resourceId);
    },
    [setActive, onOpen],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    // The buttons of the header have their own keys.
    if (event.target !== event.currentTarget) return;
    const opened = event.key === 'Enter' ? rows.rowAt(active)?.resource_id : undefined;
    if (opened !== undefined) onOpen(opened);
    if (opened !== undefined || moveBy(event.key)) event.preventDefault();
  };
  return (
    <div className="table-frame">
      {rows.error && <ErrorNotice error={rows.error} onRetry={list.refresh} />}
      <div
        ref={scroller}
        className={`table ${density} ${list.isOutdated ? 'outdated' : ''}`}
        role="grid"
        tabIndex={0}
        aria-label={messages.station.resources}
        aria-busy={list.total === undefined}
        aria-rowcount={total + 1}
        aria-colcount={shown.length}
        aria-activedescendant={active >= first && active <= last ? rowId(active) : undefined}
        style={{ '--columns': tracks, '--min-width': `${minWidth}px` } as object}
        onKeyDown={onKeyDown}
      >
        <TableHead columns={shown} order={order} onSort={onSort} />
        <div className="table-body" role="rowgroup" style={{ height: rowWindow.scrollHeight }}>
          {rowsFrom(first, last).map((index) => (
            <ResourceRow
              // Reusing the elements of rows that leave the viewport halves the cost of scrolling.
              key={index % (last - first + 1)}
              index={index}
              top={rowWindow.top(index, viewport)}
              columns={shown}
              resource={rows.rowAt(index)}
              isActive={index === active}
              isOpen={openId !== undefined && rows.rowAt(index)?.resource_id === openId}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

const rowsFrom = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** Placeholder rows while the total is unknown. */
const placeholderRows = 12;

/** Visible rows, the active row and keyboard navigation. */
function useRowWindow(total: number, rowHeight: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useViewport(scroller);
  const viewport = { scrollTop: seen.scrollTop, height: Math.max(0, seen.height - headHeight) };
  const rowWindow = useMemo(() => new RowWindow(total, rowHeight), [total, rowHeight]);
  const [active, setActive] = useState(0);
  const inView = rowWindow.rows(viewport);
  const moveBy = (key: string): boolean => {
    const page = Math.max(1, inView.last - inView.first - 1);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const edges: Record<string, number> = { Home: 0, End: total - 1 };
    const wanted = edges[key] ?? active + (steps[key] ?? Number.NaN);
    if (Number.isNaN(wanted)) return false;
    const next = Math.min(Math.max(wanted, 0), total - 1);
    setActive(next);
    scroller.current!.scrollTop = rowWindow.scrollTo(next, viewport);
    return true;
  };
  const toTop = useCallback(() => {
    setActive(0);
    scroller.current!.scrollTop = 0;
  }, []);
  return {
    scroller,
    viewport,
    rowWindow,
    first: Math.max(0, inView.first - overscan),
    last: Math.min(total - 1, inView.last + overscan),
    active,
    setActive,
    moveBy,
    toTop,
  };
}
