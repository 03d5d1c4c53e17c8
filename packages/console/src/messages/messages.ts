import { usePreferences } from '../preferences/preferences.ts';
import { en, type Messages } from './en.ts';
import { zh } from './zh.ts';

export type { Messages } from './en.ts';

const catalogue: Readonly<Record<'en' | 'zh', Messages>> = { en, zh };

export function useMessages(): Messages {
  return catalogue[usePreferences().language];
}
