/** Something that `listAll` noticed about a list that did not hold still. */
export type Notice =
  | {
      readonly kind: 'duplicates';
      readonly message: string;
      /** Of the page they came again on. */
      readonly offset: number;
      readonly resourceIds: readonly string[];
    }
  | {
      readonly kind: 'total_changed';
      readonly message: string;
      readonly offset: number;
      readonly before: number;
      readonly after: number;
    }
  | {
      readonly kind: 'count_differs';
      readonly message: string;
      readonly count: number;
      readonly total: number;
    }
  | { readonly kind: 'offset_ignored'; readonly message: string; readonly offset: number };

export function duplicates(offset: number, resourceIds: readonly string[]): Notice {
  const shown = resourceIds.slice(0, 3).join(', ');
  const message = `${resourceIds.length} resources at offset ${offset} had come before and were left out: ${shown}`;
  return { kind: 'duplicates', message, offset, resourceIds };
}

export function totalChanged(offset: number, before: number, after: number): Notice {
  const message = `the total went from ${before} to ${after} at offset ${offset}: the list changes while it is read`;
  return { kind: 'total_changed', message, offset, before, after };
}

export function countDiffers(count: number, total: number): Notice {
  const message = `${count} resources came, while the server counts ${total}`;
  return { kind: 'count_differs', message, count, total };
}

export function offsetIgnored(offset: number): Notice {
  const message = `the server answered offset ${offset} with what it had sent before; that is taken for the whole list`;
  return { kind: 'offset_ignored', message, offset };
}
