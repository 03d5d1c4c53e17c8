import { isNotFound, type RecordView, type StationClient, type StoredResource } from '@roster/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../../preferences/preferences.ts';
import { isIn } from '../../list/live/revision-order.ts';

/** A resource as it is in a snapshot. When it was last changed is unknown if it has changed again since. */
export type SnapshotResource = RecordView & Partial<StoredResource>;

interface ResourceOptions {
  readonly language: string;
  readonly resourceId: string;
  readonly revision: string;
}

/** Null if the snapshot does not have it. */
export function resourceQuery(station: StationClient, { language, resourceId, revision }: ResourceOptions) {
  return queryOptions({
    queryKey: ['resource', station.path, language, resourceId, revision],
    queryFn: async ({ signal }): Promise<SnapshotResource | null> => {
      const stored = await station.manage.resource(resourceId, { signal }).catch((error) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      if (stored !== undefined && isIn(stored.revision, revision)) return stored;
      const query = { resourceIds: [resourceId], size: 1 };
      const { resources } = await station.manage.search(query, { signal, revision });
      return resources[0] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** While the next snapshot is loaded, the resource stays as it was in the last one. */
export function useResource(station: StationClient, resourceId: string, revision: string | undefined) {
  const { language } = usePreferences();
  const query = resourceQuery(station, { language, resourceId, revision: revision ?? '' });
  return useQuery({ ...query, enabled: revision !== undefined });
}
