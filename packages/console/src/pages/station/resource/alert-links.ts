import type { Alert, Source } from '@roster/client';

/** A URL that may be followed; undefined for other schemes than http and https. */
export function webUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : undefined;
}

/** The Alertmanagers that tell the alert, each with the page of the alert. */
export function managerLinks({ sources: names, labels }: Alert, sources: readonly Source[]) {
  const matchers = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const filter = encodeURIComponent(`{${matchers.join(',')}}`);
  return managersOf(names, sources).flatMap(({ name, url }) => {
    const href = webUrl(`${url}/#/alerts?filter=${filter}`);
    return href === undefined ? [] : [{ name, href }];
  });
}

/** The page of a silence, in the first Alertmanager that tells the alert. */
export function silenceLink({ sources: names }: Alert, id: string, sources: readonly Source[]) {
  const [manager] = managersOf(names, sources);
  return manager && webUrl(`${manager.url}/#/silences/${encodeURIComponent(id)}`);
}

function managersOf(names: readonly string[], sources: readonly Source[]): { name: string; url: string }[] {
  return sources
    .filter(({ name, kind }) => kind === 'alertmanager' && names.includes(name))
    .flatMap(({ name, urls: [url] }) => (url === undefined ? [] : [{ name, url }]));
}
