import type { RosterClient, SavedView } from '@roster/client';
import { useEffect } from 'react';
import { useClient } from '../api/api.tsx';
import { type Messages, useMessages } from '../messages/messages.ts';
import { navigate } from '../navigation/location.ts';
import { usePreferences } from '../preferences/preferences.ts';
import { NewIn } from './new-in.ts';
import { useViews } from './use-views.ts';
import { savedViewHref } from './view-href.ts';

const pauseMs = 10_000;
const mostRead = 500;
const mostNamed = 3;

/** Shows a notification when something comes into a saved view, also while the page is hidden. */
export function ViewAlarms() {
  const client = useClient();
  const { views: words } = useMessages();
  const { notifiedViews } = usePreferences();
  const views = useViews();
  useEffect(() => {
    const watched = (views ?? []).filter(({ path }) => notifiedViews.includes(path));
    if (watched.length === 0 || Notification.permission !== 'granted') return;
    const seen = new Map(watched.map(({ path }) => [path, new NewIn()]));
    let isOver = false;
    const look = async () => {
      for (const view of watched) {
        if (isOver) return;
        await check(client, view, seen.get(view.path)!, words).catch(() => undefined);
      }
    };
    void look();
    const timer = setInterval(() => void look(), pauseMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client, views, notifiedViews, words]);
  return null;
}

async function check(
  { manage }: RosterClient,
  view: SavedView,
  seen: NewIn,
  words: Messages['views'],
): Promise<void> {
  const { resources } = await manage.views.run(view.name, { size: mostRead }, { shared: view.shared });
  const found = resources.map((each) => ({
    key: `${'station' in each ? each.station : ''} ${each.resource_id}`,
    name: each.display_name,
  }));
  const added = seen.update(found);
  if (added.length === 0) return;
  const names = added.slice(0, mostNamed).map(({ name }) => name);
  const notification = new Notification(words.news(added.length, view.name), {
    body: [...names, ...(added.length > mostNamed ? ['…'] : [])].join('\n'),
    tag: view.path,
  });
  notification.onclick = () => {
    focus();
    navigate(savedViewHref(view));
  };
}
