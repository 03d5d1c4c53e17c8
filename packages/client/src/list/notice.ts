/** What `listAll` noticed: an inconsistency while the list changed, or a hint if nothing matches. */
export type Notice =
  | {
      readonly kind: 'duplicates';
      readonly message: string;
      /** Offset of the page with the duplicates. */
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
  | { readonly kind: 'offset_ignored'; readonly message: string; readonly offset: number }
  | { readonly kind: 'hint'; readonly message: string };

export function duplicates(offset: number, resourceIds: readonly string[]): Notice {
  const shown = resourceIds.slice(0, 3).join(', ');
  const message = `${resourceIds.length} resources at offset ${offset} are duplicates and were skipped: ${shown}`;
  return { kind: 'duplicates', message, offset, resourceIds };
}

export function totalChanged(offset: number, before: number, after: number): Notice {
  const message = `the total went from ${before} to ${after} at offset ${offset}: the list changed while it was read`;
  return { kind: 'total_changed', message, offset, before, after };
}

export function countDiffers(count: number, total: number): Notice {
  const message = `got ${count} resources, but the server counts ${total}`;
  return { kind: 'count_differs', message, count, total };
}

export function offsetIgnored(offset: number): Notice {
  const message = `the server ignored offset ${offset} and sent the same resources again; taking them as the whole list`;
  return { kind: 'offset_ignored', message, offset };
}

/** What may have been meant, in the words of the server. */
export function hinted(message: string): Notice {
  return { kind: 'hint', message };
}
