import type { Filters, StationAddress } from '@roster/client';
import { useCallback, useMemo } from 'react';
import {
  formatFilters,
  openResource,
  type ParsedFilters,
  parseFilters,
} from '../../navigation/filter-search.ts';
import { navigate, useLocation } from '../../navigation/location.ts';
import { stationHref } from '../../navigation/route.ts';

export interface StationView extends ParsedFilters {
  /** The query string of the address bar. */
  readonly search: string;
  /** The resource in the side panel. */
  readonly openId: string | undefined;
  readonly filter: (filters: Filters, how?: 'replace') => void;
  readonly open: (resourceId: string | undefined) => void;
}

/** The state of the station page. All of it is in the URL, for sharing and the back button. */
export function useStationView(address: StationAddress): StationView {
  const { search } = useLocation();
  const { filters, isComplete, openId } = useMemo(() => readView(search), [search]);
  const filter = useCallback(
    (next: Filters, how?: 'replace') => navigate(viewHref(address, next, openId), how),
    [address, openId],
  );
  const open = useCallback(
    (id: string | undefined) => navigate(viewHref(address, filters, id)),
    [address, filters],
  );
  return { search, filters, isComplete, openId, filter, open };
}

function readView(search: string): ParsedFilters & Pick<StationView, 'openId'> {
  const parameters = new URLSearchParams(search);
  return { ...parseFilters(parameters), openId: parameters.get(openResource) || undefined };
}

function viewHref(address: StationAddress, filters: Filters, openId: string | undefined): string {
  const search = formatFilters(filters);
  if (openId !== undefined) search.set(openResource, openId);
  return stationHref(address) + (search.size === 0 ? '' : `?${search}`);
}
