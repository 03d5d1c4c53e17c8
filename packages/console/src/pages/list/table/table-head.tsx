import { useMessages } from '../../../messages/messages.ts';
import { isOrderField, nextOrder, type Order } from '../../../navigation/order-search.ts';
import { type Column, columnTitle } from './columns.tsx';

interface TableHeadProps {
  readonly columns: readonly Column[];
  readonly order: Order;
  readonly onSort: (order: Order) => void;
}

/** The header. Columns that the server can sort by have a button. */
export function TableHead({ columns, order, onSort }: TableHeadProps) {
  const messages = useMessages();
  return (
    <div className="table-head" role="row" aria-rowindex={1}>
      {columns.map((column) => {
        const { id, isNumber } = column;
        const title = columnTitle(column, messages);
        const direction = order.isDescending ? 'descending' : 'ascending';
        const sort = order.field === id ? direction : undefined;
        return (
          <div key={id} role="columnheader" className={isNumber ? 'number' : undefined} aria-sort={sort}>
            {isOrderField(id) ? (
              <button type="button" onClick={() => onSort(nextOrder(order, id))}>
                <span className="title">{title}</span>
                <span className="direction" aria-hidden="true">
                  {order.isDescending ? '↓' : '↑'}
                </span>
              </button>
            ) : (
              title
            )}
          </div>
        );
      })}
    </div>
  );
}
