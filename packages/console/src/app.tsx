import { lazy, Suspense, useMemo } from 'react';
import { useConnection } from './api/connection.ts';
import { useConsoleSession } from './api/session.ts';
import { Notice } from './components/notice.tsx';
import { SkipLink, skipLinks } from './components/skip-link.tsx';
import { useMessages } from './messages/messages.ts';
import { useLocation } from './navigation/location.ts';
import { parseRoute, type Route } from './navigation/route.ts';
import { onDemand, Waiting } from './on-demand.tsx';
import { Page } from './page.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { TopBar } from './top-bar.tsx';

const SignInPage = onDemand(async () => (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage);
const SignInDialog = lazy(async () => ({
  default: (await import('./pages/sign-in/sign-in-dialog.tsx')).SignInDialog,
}));
const ViewAlarms = lazy(async () => ({ default: (await import('./views/view-alarms.tsx')).ViewAlarms }));

/** The frame around every page. */
export function App() {
  const { errors, nav } = useMessages();
  const { pathname } = useLocation();
  const route = useMemo(() => parseRoute(pathname), [pathname]);
  const { isReachable } = useConnection();
  return (
    <>
      <SkipLink to="content">{nav.skip}</SkipLink>
      <span id={skipLinks} />
      <TopBar page={route.page} />
      {!isReachable && (
        <div className="banner">
          <Notice tone="warning">{errors.gone}</Notice>
        </div>
      )}
      <Content route={route} />
    </>
  );
}

/** The page, if the user may see it. */
function Content({ route }: { readonly route: Route }) {
  const { facts, error, hasEnded } = useConsoleSession();
  const { notifiedViews } = usePreferences();
  if (facts === undefined) return <Waiting error={error} />;
  if (facts.authentication === 'required' && facts.principal === null) return <SignInPage />;
  return (
    <>
      <Page route={route} />
      {notifiedViews.length > 0 && (
        <Suspense>
          <ViewAlarms />
        </Suspense>
      )}
      {hasEnded && (
        <Suspense>
          <SignInDialog />
        </Suspense>
      )}
    </>
  );
}
