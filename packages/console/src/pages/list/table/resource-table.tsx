import { type KeyboardEvent, use, useEffect, useMemo, useRef } from 'react';
import { useDoubts } from '../../../api/sources.ts';
import { RulesUnread } from '../../../components/live/rules-unread.ts';
import { ErrorNotice } from '../../../components/notice.tsx';
import { useMessages } from '../../../messages/messages.ts';
import { navigate } from '../../../navigation/location.ts';
import { formatOrder, type Order } from '../../../navigation/order-search.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import type { Turn } from '../live/view-changes.ts';
import { isColumnShown, withOrderInView } from './column-choice.ts';
import { columnLayout, columns, type Row } from './columns.tsx';
import { ResourceRow, rowId } from './resource-row.tsx';
import { TableHead } from './table-head.tsx';
import type { List } from './use-list.ts';
import { useOpenRow } from './use-open-row.ts';
import { useRowWindow } from './use-row-window.ts';
import { useRows } from './use-rows.ts';

const rowHeights = { compact: 32, comfortable: 44 } as const;

interface ResourceTableProps {
  readonly list: List;
  readonly order: Order;
  readonly isEverywhere: boolean;
  /** Columns without any value. */
  readonly emptyColumns: ReadonlySet<string>;
  readonly openId: string | undefined;
  /** Rows with news. */
  readonly turned: ReadonlyMap<string, Turn>;
  /** The page that a row leads to. */
  readonly hrefOf: (resource: Row) => string;
  readonly onSort: (order: Order) => void;
  /** Called when the first rows come into view or leave it. */
  readonly onTop: (isAtTop: boolean) => void;
  /** Differs whenever the table is to return to its top. */
  readonly rewinds: number;
}

/** A virtualised grid. The focus stays on the grid, which names the active row with `aria-activedescendant`. */
export function ResourceTable(props: ResourceTableProps) {
  const {
    list,
    order,
    isEverywhere,
    emptyColumns: empty,
    openId,
    turned,
    hrefOf,
    onSort,
    onTop,
    rewinds,
  } = props;
  const messages = useMessages();
  const preferences = usePreferences();
  const { density } = preferences;
  const shown = useMemo(
    () =>
      withOrderInView(
        columns.filter(({ id }) => isColumnShown(id, preferences, { empty, isEverywhere })),
        order.field,
      ),
    [preferences, empty, isEverywhere, order.field],
  );
  const { tracks, minWidth } = columnLayout(shown);
  const total = list.total ?? placeholderRows;
  const rowsInView = useRowWindow(total, rowHeights[density], list.total !== undefined);
  const { scroller, viewport, rowWindow, first, last, active, setActive, moveBy, toTop, isAtTop } =
    rowsInView;
  useRewind(toTop, formatOrder(order), rewinds);
  useEffect(() => onTop(isAtTop), [onTop, isAtTop]);
  useEffect(() => () => onTop(true), [onTop]);
  useOpenRow(list, openId, rowsInView.reveal);
  const rows = useRows(list, { first, last });
  const doubts = useDoubts();
  const areRulesUnread = use(RulesUnread);
  const onKeyDown = (event: KeyboardEvent) => {
    // The buttons of the header have their own keys.
    if (event.target !== event.currentTarget) return;
    const opened = event.key === 'Enter' ? rows.rowAt(active) : undefined;
    if (opened !== undefined) navigate(hrefOf(opened));
    if (opened !== undefined || moveBy(event.key)) event.preventDefault();
  };
  return (
    <div className="table-frame">
      {rows.error && <ErrorNotice error={rows.error} onRetry={list.refresh} hasData />}
      <div
        ref={scroller}
        id="list"
        className={`table ${density}`}
        role="grid"
        tabIndex={0}
        aria-label={messages.station.resources}
        aria-busy={list.total === undefined}
        aria-rowcount={total + 1}
        aria-colcount={shown.length}
        aria-activedescendant={active >= first && active <= last ? rowId(active) : undefined}
        style={{ '--columns': tracks, '--min-width': minWidth } as object}
        onKeyDown={onKeyDown}
      >
        <TableHead columns={shown} order={order} onSort={onSort} />
        <div className="table-body" role="rowgroup" style={{ height: rowWindow.scrollHeight }}>
          {rowsFrom(first, last).map((index) => {
            const resource = rows.rowAt(index);
            const station = resource?.station;
            const doubt = station === undefined ? undefined : doubts.get(station);
            return (
              <RulesUnread
                // Reusing the elements of rows that leave the viewport halves the cost of scrolling.
                key={index % (last - first + 1)}
                value={station === undefined ? areRulesUnread : doubt?.areRulesUnread === true}
              >
                <ResourceRow
                  index={index}
                  top={rowWindow.top(index, viewport)}
                  columns={shown}
                  resource={resource}
                  href={resource && hrefOf(resource)}
                  isActive={index === active}
                  isOpen={openId !== undefined && resource?.resource_id === openId}
                  isCurrent={station !== undefined && doubt === undefined}
                  turn={resource && turned.get(resource.resource_id)}
                  onPoint={setActive}
                  onChoose={navigate}
                />
              </RulesUnread>
            );
          })}
        </div>
      </div>
    </div>
  );
}

const rowsFrom = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** Placeholder rows while the total is unknown. */
const placeholderRows = 12;

/** Another order starts at the top, and so does what was asked for. A table that was gone back to does not. */
function useRewind(toTop: () => void, orderBy: string | undefined, rewinds: number): void {
  const asked = `${orderBy} ${rewinds}`;
  const done = useRef(asked);
  useEffect(() => {
    if (done.current === asked) return;
    done.current = asked;
    toTop();
  }, [asked, toTop]);
}
