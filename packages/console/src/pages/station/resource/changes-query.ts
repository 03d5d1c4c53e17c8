import type { StationClient } from '@roster/client';
import { queryOptions } from '@tanstack/react-query';

/** How many changes are shown at most. */
export const mostChanges = 1000;

interface ChangesOptions {
  readonly language: string;
  readonly resourceId: string;
  /** Asked again when the resource has changed. */
  readonly revision: string;
}

/** The changes of a resource, oldest first. */
export function changesQuery(station: StationClient, { language, resourceId, revision }: ChangesOptions) {
  return queryOptions({
    queryKey: ['changes', station.path, language, resourceId, revision],
    queryFn: ({ signal }) => station.manage.changes({ resourceId, size: mostChanges }, { signal }),
  });
}
