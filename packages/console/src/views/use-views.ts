import type { SavedView } from '@roster/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../api/api.tsx';

const key = ['views'];

/** The saved views of the user, and those that everyone sees. */
export function useViews(): readonly SavedView[] | undefined {
  const { manage } = useClient();
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => Array.fromAsync(manage.views.all({}, { signal })),
    staleTime: 15_000,
  });
  return data;
}

export interface ViewToSave {
  readonly name: string;
  /** The path of the station; null for all stations. */
  readonly station: string | null;
  readonly query: string;
  readonly shared: boolean;
}

export function useViewChanges() {
  const { manage } = useClient();
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: key });
  const save = useMutation({
    mutationFn: ({ name, station, query, shared }: ViewToSave) =>
      manage.views.put(name, { station, query }, { shared }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ name, shared, version }: SavedView) =>
      manage.views.delete(name, { shared, ifVersion: version }),
    onSuccess,
  });
  return { save, remove };
}
