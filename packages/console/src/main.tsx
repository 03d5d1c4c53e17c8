import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { UNSAFE_PortalProvider as PortalProvider } from 'react-aria/PortalProvider';
import { I18nProvider } from 'react-aria-components';
import { createRoot } from 'react-dom/client';
import { ApiProvider } from './api/api.tsx';
import { watchConnection } from './api/connection.ts';
import { queryClient } from './api/query-client.ts';
import { refreshWhileHidden } from './api/refresh-while-hidden.ts';
import { startSession } from './api/session.ts';
import { App } from './app.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { parseRoute } from './navigation/route.ts';
import { preloadWhenIdle } from './on-demand.tsx';
import { loadPage } from './page.tsx';
import { applyPreferences, usePreferences } from './preferences/preferences.ts';

applyPreferences();
watchConnection();
refreshWhileHidden();
void startSession();
loadPage(parseRoute(location.pathname));
preloadWhenIdle();

/** Overlays open inside the main landmark, where screen readers expect content. */
function Root() {
  const { language } = usePreferences();
  return (
    <I18nProvider locale={language === 'zh' ? 'zh-CN' : 'en'}>
      <QueryClientProvider client={queryClient}>
        <ApiProvider>
          <PortalProvider getContainer={() => document.getElementById('content')}>
            <ErrorBoundary>
              <App />
            </ErrorBoundary>
          </PortalProvider>
        </ApiProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
