import { useMemo, useSyncExternalStore } from 'react';
import { rememberFocus, restoreFocus } from './focus-memory.ts';

const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
addEventListener('popstate', () => {
  tell();
  restoreFocus(currentEntry());
});

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
  if (how === 'push') rememberFocus(currentEntry());
  const entry = how === 'push' ? crypto.getRandomValues(new Uint32Array(1)).join() : currentEntry();
  history[`${how}State`]({ entry }, '', href);
  tell();
}

/** Which step of the history is shown. */
export function currentEntry(): string {
  const { entry = 'first' } = (history.state ?? {}) as { entry?: string };
  return entry;
}

export function useEntry(): string {
  return useSyncExternalStore(subscribe, currentEntry);
}
