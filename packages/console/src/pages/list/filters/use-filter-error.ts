import { HttpError } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { askForQueryError, type QueryError } from '../../../api/server-facts.ts';
import { queryOf } from '../../../navigation/view-search.ts';

interface FilterErrorOptions {
  readonly search: string;
  /** Whether the console could parse the whole query. */
  readonly isComplete: boolean;
  /** The error of the list. */
  readonly error: Error | null;
}

/** The server's error if it rejects the filters. */
export function useFilterError(listPath: string, options: FilterErrorOptions): QueryError | undefined {
  const { search, isComplete, error } = options;
  const { data } = useQuery({
    queryKey: ['filter-error', listPath, search],
    queryFn: async () => {
      return (await askForQueryError(listPath, queryOf(new URLSearchParams(search)))) ?? null;
    },
    enabled: !isComplete,
  });
  if (!isComplete) return data ?? undefined;
  const isRefusal = error instanceof HttpError && error.status >= 400 && error.status < 500;
  return isRefusal && error.parameter !== undefined
    ? { parameter: error.parameter, detail: error.detail }
    : undefined;
}
