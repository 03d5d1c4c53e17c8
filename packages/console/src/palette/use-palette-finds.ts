import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../api/api.tsx';
import { useSession } from '../api/session.ts';
import { addressOf, stationName } from '../format/station-name.ts';
import { useMessages } from '../messages/messages.ts';
import { stationHref } from '../navigation/route.ts';
import { viewHref } from '../navigation/view-search.ts';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useViews } from '../views/use-views.ts';
import { savedViewHref } from '../views/view-href.ts';
import { matching, type PaletteGroup, type PaletteItem } from './palette-items.ts';

const pauseMs = 150;
const mostResources = 8;

export interface PaletteFinds {
  readonly groups: readonly PaletteGroup[];
  /** Whether more may be found. */
  readonly isSearching: boolean;
  /** Whether resources could not be searched. */
  readonly hasFailed: boolean;
}

/** What the palette offers for some text. */
export function usePaletteFinds(wanted: string): PaletteFinds {
  const { palette: words } = useMessages();
  const types = useTypes();
  const resources = useResources(wanted.trim());
  const isFetching = useIsFetching({ queryKey: ['palette'] }) > 0;
  const groups = [
    { title: words.resources, items: resources.items },
    { title: words.stations, items: matching(useStations(), wanted) },
    { title: words.views, items: matching(useViewItems(), wanted) },
    { title: words.types, items: wanted === '' ? [] : matching(types, wanted) },
    { title: words.pages, items: matching(usePages(), wanted) },
    { title: words.actions, items: matching(useActions(), wanted) },
  ];
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: resources.isWaiting || isFetching,
    hasFailed: resources.hasFailed,
  };
}

function useStations(): readonly PaletteItem[] {
  const { manage } = useClient();
  const { data = [] } = useQuery({
    queryKey: ['palette', 'stations'],
    queryFn: ({ signal }) => Array.fromAsync(manage.allStations({}, { signal })),
    staleTime: 60_000,
  });
  return data.map(({ station }) => {
    const address = addressOf(station)!;
    const { subscription, resourceGroup, zone, name } = address;
    return {
      id: station,
      text: name,
      more: `${subscription} / ${resourceGroup} / ${zone}`,
      href: stationHref(address),
    };
  });
}

interface FoundResources {
  readonly items: readonly PaletteItem[];
  /** Whether the server is asked only once the typing pauses. */
  readonly isWaiting: boolean;
  readonly hasFailed: boolean;
}

/** Asks the server, since nobody else knows all resources. */
function useResources(wanted: string): FoundResources {
  const { manage } = useClient();
  const { language } = usePreferences();
  const text = useSettled(wanted);
  const { data, isError, isPaused } = useQuery({
    queryKey: ['palette', 'resources', language, text],
    queryFn: ({ signal }) => manage.search({ text, size: mostResources }, { signal }),
    enabled: text.length > 1,
  });
  const found = text.length > 1 ? (data?.resources ?? []) : [];
  const items = found.map(({ station, resource_id: openId, display_name, resource_type }) => ({
    id: `${station} ${openId}`,
    text: display_name,
    more: `${resource_type.label || resource_type.key} · ${stationName(station)}`,
    href: viewHref(addressOf(station), { filters: {}, openId }),
  }));
  return { items, isWaiting: wanted.length > 1 && text !== wanted, hasFailed: isError || isPaused };
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function useTypes(): readonly PaletteItem[] {
  const { manage } = useClient();
  const { language } = usePreferences();
  const { data = [] } = useQuery({
    queryKey: ['types', language],
    queryFn: ({ signal }) => manage.types({ signal }),
    staleTime: 60_000,
  });
  return data.map(({ key, label }) => ({
    id: key,
    text: label || key,
    more: key,
    href: viewHref(undefined, { filters: { resourceType: key } }),
  }));
}

function useViewItems(): readonly PaletteItem[] {
  const { views: words } = useMessages();
  return (useViews() ?? []).map((view) => ({
    id: view.path,
    text: view.name,
    more: view.station === null ? words.everywhere : stationName(view.station),
    href: savedViewHref(view),
  }));
}

function usePages(): readonly PaletteItem[] {
  const { nav, palette: words } = useMessages();
  const { may } = useSession();
  const bySince = { field: 'state_since', isDescending: false } as const;
  return [
    { id: 'now', text: nav.now, href: '/' },
    {
      id: 'firing',
      text: words.firing,
      href: viewHref(undefined, { filters: { states: ['firing'] }, order: bySince }),
    },
    { id: 'uncovered', text: words.uncovered, href: viewHref(undefined, { filters: { covered: false } }) },
    { id: 'stations', text: nav.stations, href: '/stations' },
    { id: 'resources', text: nav.resources, href: '/resources' },
    { id: 'types', text: nav.types, href: '/types' },
    { id: 'sources', text: nav.sources, href: '/sources' },
    ...(may('write_resources') ? [{ id: 'import', text: nav.import, href: '/import' }] : []),
    ...(may('manage_tokens') ? [{ id: 'tokens', text: nav.tokens, href: '/tokens' }] : []),
    { id: 'about', text: nav.about, href: '/about' },
  ];
}

function useActions(): readonly PaletteItem[] {
  const { preferences: words } = useMessages();
  const { language } = usePreferences();
  const themes = ['light', 'dark', 'system'] as const;
  return [
    ...themes.map((theme) => ({
      id: theme,
      text: `${words.theme}: ${words.themes[theme]}`,
      act: () => setPreferences({ theme }),
    })),
    language === 'zh'
      ? { id: 'en', text: 'English', act: () => setPreferences({ language: 'en' }) }
      : { id: 'zh', text: '中文', more: 'Chinese', act: () => setPreferences({ language: 'zh' }) },
  ];
}
