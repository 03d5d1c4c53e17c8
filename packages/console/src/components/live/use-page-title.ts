import { useEffect, useSyncExternalStore } from 'react';
import { useConnection } from '../../api/connection.ts';
import { useConsoleSession } from '../../api/session.ts';
import { formatCount } from '../../format/format.ts';
import { usePreferences } from '../../preferences/preferences.ts';

/** The build makes one icon for each. */
const mostOnIcon = 9;

/** Title and icon of the page carry the number firing, or that nobody knows. */
export function usePageTitle(name: string, firing?: number | 'unknown'): void {
  const { isReachable } = useConnection();
  const { hasEnded } = useConsoleSession();
  const { language } = usePreferences();
  const isOld = useSyncExternalStore(subscribe, () => isNumberOld);
  const count = isReachable && !hasEnded && !(isOld && firing !== undefined) ? firing : 'unknown';
  useEffect(() => {
    const text = count === 'unknown' ? '?' : count && formatCount(count, language);
    document.title = `${text ? `(${text}) ` : ''}${name} · Roster`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    const href = iconOf(count);
    if (icon !== null && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
  }, [name, count, language]);
}

function iconOf(count: number | 'unknown' | undefined): string {
  if (count === 'unknown') return '/assets/icon-lost.svg';
  if (count === undefined || count === 0) return '/favicon.svg';
  return `/assets/icon-${count > mostOnIcon ? 'many' : count}.svg`;
}

let isNumberOld = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For a part of the page that knows that the number of the title may have changed since. */
export function useOldNumber(isOld: boolean): void {
  useEffect(() => {
    const set = (next: boolean) => {
      isNumberOld = next;
      for (const each of listeners) each();
    };
    set(isOld);
    return () => set(false);
  }, [isOld]);
}
