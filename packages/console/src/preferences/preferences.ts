import { useSyncExternalStore } from 'react';

/** Personal preferences. Must not hold secrets. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: 'en' | 'zh';
  readonly density: 'compact' | 'comfortable';
  /** Hidden columns of the resource table. */
  readonly hiddenColumns: readonly string[];
  /** Columns to show even if they seem to be empty. */
  readonly shownColumns: readonly string[];
  /** Paths of the saved views that the user wants to hear of. */
  readonly notifiedViews: readonly string[];
}

const storageKey = 'roster.preferences';
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  return { ...defaults(), ...stored() };
}

function defaults(): Preferences {
  const isChinese = navigator.languages[0]?.toLowerCase().startsWith('zh') ?? false;
  return {
    theme: 'system',
    language: isChinese ? 'zh' : 'en',
    density: 'compact',
    hiddenColumns: [],
    shownColumns: [],
    notifiedViews: [],
  };
}

/** Invalid stored preferences must not break the page. */
function stored(): Partial<Preferences> {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>;
    const { theme, language, density, hiddenColumns, shownColumns, showsLabels, notifiedViews } = kept;
    return {
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
      ...(language === 'en' || language === 'zh' ? { language } : {}),
      ...(density === 'comfortable' ? { density } : {}),
      // What earlier versions of the console stored.
      ...(showsLabels === true ? { shownColumns: ['labels'] } : {}),
      ...(Array.isArray(shownColumns) ? { shownColumns: shownColumns.map(String) } : {}),
      ...(Array.isArray(hiddenColumns) ? { hiddenColumns: hiddenColumns.map(String) } : {}),
      ...(Array.isArray(notifiedViews) ? { notifiedViews: notifiedViews.map(String) } : {}),
    };
  } catch {
    return {};
  }
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, () => current);
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

/** Applies the preferences that CSS and assistive technology use. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme;
  document.documentElement.lang = current.language === 'zh' ? 'zh-CN' : 'en';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
