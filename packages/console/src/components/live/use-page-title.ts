import { useEffect } from 'react';
import { useConnection } from '../../api/connection.ts';
import { formatCount } from '../../format/format.ts';
import { usePreferences } from '../../preferences/preferences.ts';

/** The build makes one icon for each. */
const mostOnIcon = 9;

/** Title and icon of the page carry the number firing, or that nobody knows. */
export function usePageTitle(name: string, firing?: number): void {
  const { isReachable } = useConnection();
  const { language } = usePreferences();
  useEffect(() => {
    const count = firing === undefined || firing === 0 ? '' : `(${formatCount(firing, language)}) `;
    document.title = `${isReachable ? count : '(?) '}${name} · Roster`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon === null) return;
    const href = isReachable ? iconOf(firing) : '/assets/icon-lost.svg';
    if (icon.getAttribute('href') !== href) icon.setAttribute('href', href);
  }, [name, firing, isReachable, language]);
}

function iconOf(firing: number | undefined): string {
  if (firing === undefined || firing === 0) return '/favicon.svg';
  return `/assets/icon-${firing > mostOnIcon ? 'many' : firing}.svg`;
}
