import { orderFields } from '@roster/client';

/** The URL parameter of the order. */
export const orderParameter = 'order_by';

type OrderField = (typeof orderFields)[number];

/** By which field the server sorts. */
export interface Order {
  readonly field: OrderField;
  readonly isDescending: boolean;
}

const defaultOrder: Order = { field: 'display_name', isDescending: false };

export function isOrderField(field: string): field is OrderField {
  return (orderFields as readonly string[]).includes(field);
}

/** Undefined if the server would reject it. */
export function parseOrder(text: string): Order | undefined {
  if (text === '') return defaultOrder;
  const isDescending = text.startsWith('-');
  const field = isDescending ? text.slice(1) : text;
  return isOrderField(field) ? { field, isDescending } : undefined;
}

/** As the server takes it; undefined for the default order. */
export function formatOrder({ field, isDescending }: Order): string | undefined {
  if (isDescending) return `-${field}`;
  return field === defaultOrder.field ? undefined : field;
}

/** The order after a click on a field: ascending, then descending, then ascending again. */
export function nextOrder(current: Order, field: OrderField): Order {
  return { field, isDescending: current.field === field && !current.isDescending };
}
