import { lazy, Suspense, useMemo } from 'react';
import { useConnection } from './api/connection.ts';
import { useConsoleSession } from './api/session.ts';
import { Empty } from './components/empty.tsx';
import { ErrorNotice, Notice } from './components/notice.tsx';
import { SkipLink, skipLinks } from './components/skip-link.tsx';
import { useMessages } from './messages/messages.ts';
import { Link } from './navigation/link.tsx';
import { useLocation } from './navigation/location.ts';
import { parseRoute, type Route } from './navigation/route.ts';
import { NowPage } from './pages/now/now-page.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { TopBar } from './top-bar.tsx';

const StationPage = lazy(async () => ({
  default: (await import('./pages/station/station-page.tsx')).StationPage,
}));
const StationsPage = lazy(async () => ({
  default: (await import('./pages/stations/stations-page.tsx')).StationsPage,
}));
const EverywherePage = lazy(async () => ({
  default: (await import('./pages/everywhere/everywhere-page.tsx')).EverywherePage,
}));
const ResourcePage = lazy(async () => ({
  default: (await import('./pages/resource/resource-page.tsx')).ResourcePage,
}));
const ChangesPage = lazy(async () => ({
  default: (await import('./pages/changes/changes-page.tsx')).ChangesPage,
}));
const ImportPage = lazy(async () => ({
  default: (await import('./pages/import/import-page.tsx')).ImportPage,
}));
const TypesPage = lazy(async () => ({ default: (await import('./pages/types/types-page.tsx')).TypesPage }));
const SourcesPage = lazy(async () => ({
  default: (await import('./pages/sources/sources-page.tsx')).SourcesPage,
}));
const TokensPage = lazy(async () => ({
  default: (await import('./pages/tokens/tokens-page.tsx')).TokensPage,
}));
const SignInPage = lazy(async () => ({
  default: (await import('./pages/sign-in/sign-in-page.tsx')).SignInPage,
}));
const SignInDialog = lazy(async () => ({
  default: (await import('./pages/sign-in/sign-in-dialog.tsx')).SignInDialog,
}));
const SignedInPage = lazy(async () => ({
  default: (await import('./pages/sign-in/signed-in-page.tsx')).SignedInPage,
}));
const ViewAlarms = lazy(async () => ({ default: (await import('./views/view-alarms.tsx')).ViewAlarms }));
const AboutPage = lazy(async () => ({ default: (await import('./pages/about/about-page.tsx')).AboutPage }));

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
      <Suspense fallback={<Waiting />}>
        <Content route={route} />
      </Suspense>
    </>
  );
}

function Waiting({ error }: { readonly error?: unknown }) {
  return (
    <main id="content" className="page" aria-busy="true">
      {error !== undefined && <ErrorNotice error={error} />}
    </main>
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

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'now':
      return <NowPage />;
    case 'resources':
      return <EverywherePage />;
    case 'stations':
      return <StationsPage />;
    case 'station':
      return <StationPage address={route.station} />;
    case 'resource':
      return <ResourcePage address={route.station} resourceId={route.resourceId} />;
    case 'changes':
      return <ChangesPage address={route.station} />;
    case 'import':
      return <ImportPage address={route.station} />;
    case 'types':
      return <TypesPage />;
    case 'sources':
      return <SourcesPage />;
    case 'tokens':
      return <TokensPage />;
    case 'signed-in':
      return <SignedInPage />;
    case 'about':
      return <AboutPage />;
    case 'missing':
      return <MissingPage />;
  }
}

function MissingPage() {
  const { nav, errors } = useMessages();
  return (
    <main id="content" className="page">
      <Empty isPage title={errors.noPage}>
        <Link className="button" href="/">
          {nav.now}
        </Link>
      </Empty>
    </main>
  );
}
