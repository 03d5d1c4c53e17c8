import type { SavedView } from '@roster/client';
import { useSession } from '../api/session.ts';
import { Icon } from '../components/icon.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { Text } from '../components/text.tsx';
import { stationName } from '../format/station-name.ts';
import { useMessages } from '../messages/messages.ts';
import { Link } from '../navigation/link.tsx';
import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { useViewChanges, useViews } from './use-views.ts';
import { savedViewHref } from './view-href.ts';

/** The saved views, each with a bell for news of it. */
export function ViewList({ onOpen }: { readonly onOpen: () => void }) {
  const { views: words } = useMessages();
  const session = useSession();
  const views = useViews();
  const { remove } = useViewChanges();
  if (views === undefined) return <span className="skeleton" />;
  return (
    <>
      {views.length === 0 && <p className="quiet">{words.none}</p>}
      <ul className="view-list">
        {views.map((view) => (
          <li key={view.path}>
            <Link href={savedViewHref(view)} onClickCapture={onOpen}>
              <Text value={view.name} />
              <Text
                className="quiet"
                value={[
                  view.station === null ? words.everywhere : stationName(view.station),
                  ...(view.shared ? [words.shared] : []),
                ].join(' · ')}
              />
            </Link>
            <Bell view={view} />
            {(!view.shared || session.may('share_views')) && (
              <button
                type="button"
                className="button quiet-button"
                aria-label={words.delete(view.name)}
                title={words.delete(view.name)}
                onClick={() => remove.mutate(view)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {remove.error && <ErrorNotice error={remove.error} />}
    </>
  );
}

/** Asks the browser for leave the first time. */
function Bell({ view }: { readonly view: SavedView }) {
  const { views: words } = useMessages();
  const { notifiedViews } = usePreferences();
  if (!('Notification' in globalThis)) return null;
  const isOn = notifiedViews.includes(view.path) && Notification.permission === 'granted';
  const toggle = async () => {
    if (!isOn && (await Notification.requestPermission()) !== 'granted') return;
    const others = notifiedViews.filter((path) => path !== view.path);
    setPreferences({ notifiedViews: isOn ? others : [...others, view.path] });
  };
  return (
    <button
      type="button"
      className="button quiet-button"
      aria-pressed={isOn}
      aria-label={words.notify(view.name)}
      title={Notification.permission === 'denied' ? words.notifyDenied : words.notify(view.name)}
      disabled={Notification.permission === 'denied'}
      onClick={() => void toggle()}
    >
      <Icon name="bell" />
    </button>
  );
}
