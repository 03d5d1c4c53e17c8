import { usePreferences } from '../preferences/preferences.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

/** Everything that the console says. Each language says all of it. */
export type Messages = typeof en;

const catalogue: Readonly<Record<'en' | 'zh', Messages>> = { en, zh };

export function useMessages(): Messages {
  return catalogue[usePreferences().language];
}
