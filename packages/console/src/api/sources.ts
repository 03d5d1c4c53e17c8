import type { Source } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from './api.tsx';

const refetchMs = 5_000;

/** The sources, read again every few seconds: their health changes by itself. */
export function useSources() {
  const client = useClient();
  return useQuery<readonly Source[]>({
    queryKey: ['sources'],
    queryFn: ({ signal }) => client.manage.sources({ signal }),
    refetchInterval: refetchMs,
  });
}
