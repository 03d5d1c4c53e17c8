import { useMemo, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
addEventListener('popstate', tell);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const currentHref = () => location.pathname + location.search;

/** The current URL. Components that use it rerender on navigation. */
export function useLocation(): URL {
  const href = useSyncExternalStore(subscribe, currentHref);
  return useMemo(() => new URL(href, location.origin), [href]);
}

/** `replace` is for steps without a history entry, such as each letter of a filter. */
export function navigate(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === currentHref()) return;
  history[`${how}State`](null, '', href);
  tell();
}
