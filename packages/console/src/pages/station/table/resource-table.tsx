import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { ErrorNotice } from '../../../components/notice.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import { type Column, columnLayout, columns, columnTitle } from './columns.tsx';
import { ResourceRow, rowId } from './resource-row.tsx';
import { RowWindow } from './row-window.ts';
import type { List } from './use-list.ts';
import { useRows } from './use-rows.ts';
import { useViewport } from './use-viewport.ts';

/** Extra rows rendered above and below the viewport. */
const overscan = 5;
const headHeight = 34;
const rowHeights = { compact: 32, comfortable: 44 } as const;

interface ResourceTableProps {
  readonly list: List;
  readonly openId: string | undefined;
  readonly onOpen: (resourceId: string) => void;
}

/** A virtualised grid. The focus stays on the grid, which names the active row with `aria-activedescendant`. */
export function ResourceTable({ list, openId, onOpen }: ResourceTableProps) {
  const messages = useMessages();
  const { density, hiddenColumns } = usePreferences();
  const shown = useMemo(() => columns.filter(({ id }) => !hiddenColumns.includes(id)), [hiddenColumns]);
  const { tracks, minWidth } = columnLayout(shown);
  const total = list.total ?? placeholderRows;
  const { scroller, viewport, rowWindow, first, last, active, setActive, moveBy } = useRowWindow(
    total,
    rowHeights[density],
  );
  const rows = useRows(list, { first, last });
  const choose = useCallback(
    (index: number, resourceId: string) => {
      setActive(index);
      onOpen(resourceId);
    },
    [setActive, onOpen],
  );
  const onKeyDown = (event: KeyboardEvent) => {
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
        <TableHead columns={shown} />
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

/** The header shows the order, which cannot be changed. */
function TableHead({ columns: shown }: { readonly columns: readonly Column[] }) {
  const messages = useMessages();
  return (
    <div className="table-head" role="row" aria-rowindex={1}>
      {shown.map((column) => {
        const isOrder = column.id === 'display_name';
        return (
          <div
            key={column.id}
            role="columnheader"
            className={column.isNumber ? 'number' : undefined}
            aria-sort={isOrder ? 'ascending' : undefined}
            title={isOrder ? messages.station.order : undefined}
          >
            {columnTitle(column, messages)}
            {isOrder && <span aria-hidden="true"> ↑</span>}
          </div>
        );
      })}
    </div>
  );
}

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
  return {
    scroller,
    viewport,
    rowWindow,
    first: Math.max(0, inView.first - overscan),
    last: Math.min(total - 1, inView.last + overscan),
    active,
    setActive,
    moveBy,
  };
}
