import { useSyncExternalStore } from 'react';

/** What people choose for themselves. Nothing secret may be kept here. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly language: 'en' | 'zh';
  readonly density: 'compact' | 'comfortable';
  /** Columns of the resource table that are not shown. */
  readonly hiddenColumns: readonly string[];
}

const storageKey = 'roster.preferences';
const listeners = new Set<() => void>();
let current = read();

function read(): Preferences {
  return { ...defaults(), ...stored() };
}

function defaults(): Preferences {
  const isChinese = navigator.languages[0]?.toLowerCase().startsWith('zh') ?? false;
  return { theme: 'system', language: isChinese ? 'zh' : 'en', density: 'compact', hiddenColumns: [] };
}

/** What an older version or another hand has written must not break the page. */
function stored(): Partial<Preferences> {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, unknown>;
    const { theme, language, density, hiddenColumns } = kept;
    return {
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
      ...(language === 'en' || language === 'zh' ? { language } : {}),
      ...(density === 'comfortable' ? { density } : {}),
      ...(Array.isArray(hiddenColumns) ? { hiddenColumns: hiddenColumns.map(String) } : {}),
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
    // A browser that keeps nothing shows the choice until the page is closed.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

/** The part of them that style sheets and assistive technology see. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme;
  document.documentElement.lang = current.language === 'zh' ? 'zh-CN' : 'en';
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
