import { useEffect, useMemo } from 'react';
import { useConnection } from './api/connection.ts';
import { useConsoleSession } from './api/session.ts';
import { GoneNotice } from './components/live/gone-notice.tsx';
import { ErrorNotice } from './components/notice.tsx';
import { SkipLink, skipLinks } from './components/skip-link.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useMessages } from './messages/messages.ts';
import { useLocation } from './navigation/location.ts';
import { parseRoute, type Route } from './navigation/route.ts';
import { OnlyNotice, onDemand } from './on-demand.tsx';
import { Page } from './page.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { TopBar } from './top-bar.tsx';
import { Waiting } from './waiting.tsx';

const SignInPage = onDemand(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage);
const SignInDialog = onDemand(
  async () => (await import('./pages/sign-in/sign-in-dialog.tsx')).SignInDialog,
  OnlyNotice,
);
const ViewAlarms = onDemand(
  async () => (await import('./views/view-alarms.tsx')).ViewAlarms,
  () => null,
);

/** The frame around every page. */
export function App() {
  const { nav } = useMessages();
  const { pathname } = useLocation();
  const route = useMemo(() => parseRoute(pathname), [pathname]);
  const { isReachable } = useConnection();
  const { hasEnded } = useConsoleSession();
  const isCurrent = isReachable && !hasEnded;
  useEffect(() => {
    document.documentElement.dataset.connection = isCurrent ? 'live' : 'lost';
  }, [isCurrent]);
  return (
    <>
      <SkipLink to="content">{nav.skip}</SkipLink>
      <span id={skipLinks} />
      <TopBar page={route.page} />
      {!isReachable && (
        <div className="banner">
          <GoneNotice />
        </div>
      )}
      <ErrorBoundary place={pathname}>
        <Content route={route} />
      </ErrorBoundary>
    </>
  );
}

/** The page, if the user may see it. */
function Content({ route }: { readonly route: Route }) {
  const { facts, error, hasEnded } = useConsoleSession();
  const { notifiedViews } = usePreferences();
  if (facts === undefined)
    return <Waiting notice={error === undefined ? undefined : <ErrorNotice error={error} />} />;
  if (facts.authentication === 'required' && facts.principal === null) return <SignInPage />;
  return (
    <>
      <Page route={route} />
      {notifiedViews.length > 0 && <ViewAlarms />}
      {hasEnded && <SignInDialog />}
    </>
  );
}
