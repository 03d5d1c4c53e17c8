import type { StationClient } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';
import { newestPosition, readBackwards, windowQuery } from '../../../api/read-backwards.ts';

/** How many changes are read at once, at most. */
export const mostChanges = 1000;

interface ChangesOptions {
  readonly language: string;
  readonly resourceId: string;
  /** Asked again when the resource has changed. */
  readonly revision: string;
}

/** The newest changes of a resource. */
export function changesQuery(station: StationClient, { language, resourceId, revision }: ChangesOptions) {
  return queryOptions({
    queryKey: ['changes', station.path, language, resourceId, revision],
    queryFn: ({ signal }) => {
      const span = { fromMs: 0, toMs: undefined, nowMs: Date.now() };
      return readBackwards(
        (window) =>
          station.manage.changes({ resourceId, ...windowQuery(window), size: mostChanges }, { signal }),
        span,
        newestPosition(span),
      );
    },
  });
}
