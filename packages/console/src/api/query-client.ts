import { isUnreachable } from '@roster/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { checkConnection } from './connection.ts';

/** Queries do not retry, because the client does. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isUnreachable(error)) void checkConnection();
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false, networkMode: 'always' },
  },
});
