import { Empty } from './components/empty.tsx';
import { usePageTitle } from './components/live/use-page-title.ts';
import { useMessages } from './messages/messages.ts';
import { Link } from './navigation/link.tsx';
import type { Route } from './navigation/route.ts';
import { onDemand } from './on-demand.tsx';
import { NowPage } from './pages/now/now-page.tsx';

const pages = {
  station: onDemand(async () => (await import('./pages/station/station-page.tsx')).StationPage),
  stations: onDemand(async () => (await import('./pages/stations/stations-page.tsx')).StationsPage),
  resources: onDemand(async () => (await import('./pages/everywhere/everywhere-page.tsx')).EverywherePage),
  resource: onDemand(async () => (await import('./pages/resource/resource-page.tsx')).ResourcePage),
  changes: onDemand(async () => (await import('./pages/changes/changes-page.tsx')).ChangesPage),
  import: onDemand(async () => (await import('./pages/import/import-page.tsx')).ImportPage),
  types: onDemand(async () => (await import('./pages/types/types-page.tsx')).TypesPage),
  sources: onDemand(async () => (await import('./pages/sources/sources-page.tsx')).SourcesPage),
  tokens: onDemand(async () => (await import('./pages/tokens/tokens-page.tsx')).TokensPage),
  'signed-in': onDemand(async () => (await import('./pages/sign-in/signed-in-page.tsx')).SignedInPage),
  about: onDemand(async () => (await import('./pages/about/about-page.tsx')).AboutPage),
};

/** Loads the code of a page ahead of its turn. If that fails, the page says so when it is shown. */
export function loadPage({ page }: Route): void {
  if (page !== 'now' && page !== 'missing') pages[page].load().catch(() => {});
}

export function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'now':
      return <NowPage />;
    case 'missing':
      return <MissingPage />;
    case 'station':
      return <pages.station address={route.station} />;
    case 'resource':
      return <pages.resource address={route.station} resourceId={route.resourceId} />;
    case 'changes':
      return <pages.changes address={route.station} />;
    case 'import':
      return <pages.import address={route.station} />;
    default: {
      const SimplePage = pages[route.page];
      return <SimplePage />;
    }
  }
}

function MissingPage() {
  const { nav, errors } = useMessages();
  usePageTitle(errors.noPage);
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
