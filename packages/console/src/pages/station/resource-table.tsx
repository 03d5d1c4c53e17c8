import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useMessages } from '../../messages/messages.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import { columns, columnTitle } from './columns.tsx';
import { ResourceRow, rowId } from './resource-row.tsx';
import { RowWindow } from './row-window.ts';
import type { ResourceRows, RowRange } from './use-resources.ts';
import { useViewport } from './use-viewport.ts';

/** Rows that are drawn above and below what is in view. */
const overscan = 8;
const headHeight = 34;
export const rowHeights = { compact: 32, comfortable: 44 } as const;

interface ResourceTableProps {
  readonly rows: ResourceRows;
  readonly openId: string | undefined;
  readonly onRange: (range: RowRange) => void;
  readonly onOpen: (resourceId: string) => void;
}

/** A grid of which only what is in view exists. The focus stays on the grid; the active row is told by reference. */
export function ResourceTable({ rows, openId, onRange, onOpen }: ResourceTableProps) {
  const messages = useMessages();
  const { density, hiddenColumns } = usePreferences();
  const rowHeight = rowHeights[density];
  const total = rows.total ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const seen = useViewport(scroller);
  const viewport = { scrollTop: seen.scrollTop, height: Math.max(0, seen.height - headHeight) };
  const rowWindow = useMemo(() => new RowWindow(total, rowHeight), [total, rowHeight]);
  const [active, setActive] = useState(0);
  const shown = useMemo(() => columns.filter(({ id }) => !hiddenColumns.includes(id)), [hiddenColumns]);
  const inView = rowWindow.rows(viewport);
  const first = Math.max(0, inView.first - overscan);
  const last = Math.min(total - 1, inView.last + overscan);
  useEffect(() => onRange({ first, last }), [first, last, onRange]);

  const choose = useCallback(
    (index: number, resourceId: string) => {
      setActive(index);
      onOpen(resourceId);
    },
    [onOpen],
  );
  const moveTo = (row: number) => {
    const next = Math.min(Math.max(row, 0), total - 1);
    setActive(next);
    scroller.current!.scrollTop = rowWindow.scrollTo(next, viewport);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, inView.last - inView.first - 1);
    const target = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
    };
    const edges = { Home: 0, End: total - 1 };
    const next = { ...target, ...edges }[event.key];
    const opened = event.key === 'Enter' ? rows.rowAt(active)?.resource_id : undefined;
    if (next === undefined && opened === undefined) return;
    event.preventDefault();
    if (next !== undefined) moveTo(next);
    if (opened !== undefined) onOpen(opened);
  };
  return (
    <div
      ref={scroller}
      className={`table ${density} ${rows.isOutdated ? 'outdated' : ''}`}
      role="grid"
      tabIndex={0}
      aria-label={messages.station.resources}
      aria-rowcount={total + 1}
      aria-colcount={shown.length}
      aria-activedescendant={total > 0 ? rowId(active) : undefined}
      style={{ '--columns': shown.map(({ width }) => width).join(' ') } as object}
      onKeyDown={onKeyDown}
    >
      <div className="table-head" role="row" aria-rowindex={1} tabIndex={-1}>
        {shown.map((column) => (
          <div
            key={column.id}
            role="columnheader"
            tabIndex={-1}
            className={column.isNumber ? 'number' : undefined}
            aria-sort={column.id === 'display_name' ? 'ascending' : undefined}
            title={column.id === 'display_name' ? messages.station.order : undefined}
          >
            {columnTitle(column, messages)}
            {column.id === 'display_name' && <span aria-hidden="true"> ↑</span>}
          </div>
        ))}
      </div>
      <div className="table-body" role="rowgroup" style={{ height: rowWindow.scrollHeight }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).map((index) => (
          <ResourceRow
            key={index}
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
  );
}
