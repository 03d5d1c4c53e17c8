import { type ReactNode, useMemo, useState } from 'react';
import { useMissing } from './api/missing-data.ts';
import { useIsLate } from './components/live/use-is-late.ts';
import { usePageTitle } from './components/live/use-page-title.ts';
import { type Messages, useMessages } from './messages/messages.ts';
import { useLocation } from './navigation/location.ts';
import { parseRoute, type Route } from './navigation/route.ts';

const patienceMs = 1_000;

/** In place of a page that is not there yet. */
export function Waiting({ notice }: { readonly notice?: ReactNode }) {
  const messages = useMessages();
  const { pathname } = useLocation();
  const title = useMemo(() => titleOf(parseRoute(pathname), messages), [pathname, messages]);
  const [sinceMs] = useState(Date.now);
  const isLate = useIsLate(sinceMs, patienceMs);
  usePageTitle(title);
  useMissing();
  return (
    <main id="content" className="page" aria-busy={!notice}>
      {(isLate || notice) && (
        <header className="page-head">
          <h1>{title}</h1>
        </header>
      )}
      {notice ?? (isLate && <p role="status">{messages.errors.waiting}</p>)}
    </main>
  );
}

function titleOf(route: Route, messages: Messages): string {
  switch (route.page) {
    case 'station':
      return route.station.name;
    case 'resource':
      return route.resourceId;
    case 'changes':
      return messages.past.titleOf(route.station.name);
    case 'resources':
      return messages.everywhere.title;
    case 'signed-in':
      return messages.access.title;
    case 'missing':
      return messages.errors.noPage;
    default:
      return messages[route.page].title;
  }
}
