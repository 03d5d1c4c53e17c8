import { HttpError } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { askForFault, type QueryFault } from '../../api/server-facts.ts';
import { openResource } from '../../navigation/filter-search.ts';

interface FaultOptions {
  readonly search: string;
  /** Whether the console could read all of the query. */
  readonly isComplete: boolean;
  /** What the list failed with. */
  readonly error: Error | null;
}

/** What the server says of the filters, when it does not take them. */
export function useFilterFault(stationPath: string, options: FaultOptions): QueryFault | undefined {
  const { search, isComplete, error } = options;
  const { data } = useQuery({
    queryKey: ['filter-fault', stationPath, search],
    queryFn: async () => {
      const parameters = new URLSearchParams(search);
      parameters.delete(openResource);
      const path = `/monitor/ts/data/v1/${stationPath}/resources`;
      return (await askForFault(path, parameters)) ?? null;
    },
    enabled: !isComplete,
  });
  if (!isComplete) return data ?? undefined;
  const isRefusal = error instanceof HttpError && error.status >= 400 && error.status < 500;
  return isRefusal && error.parameter !== undefined
    ? { parameter: error.parameter, detail: error.detail }
    : undefined;
}
