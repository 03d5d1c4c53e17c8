import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePreferences } from '../preferences/preferences.ts';
import { useClient } from './api.tsx';

/** What a resource type is called; its key until that is known. */
export function useTypeLabel(): (key: string) => string {
  const { manage } = useClient();
  const { language } = usePreferences();
  const { data } = useQuery({
    queryKey: ['types', language],
    queryFn: ({ signal }) => manage.types({ signal }),
    staleTime: 60_000,
  });
  return useCallback((key) => data?.find((type) => type.key === key)?.label || key, [data]);
}
