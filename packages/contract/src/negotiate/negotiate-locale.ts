import { byPreference } from './by-preference.ts';

/**
 * The locale to answer in: the best of `available` for an Accept-Language header, or `fallback`.
 * A range matches a locale that equals it, that it refines (`zh-CN` finds `zh`), or that refines it.
 */
export function negotiateLocale(
  acceptLanguage: string | undefined,
  available: readonly string[],
  fallback: string,
): string {
  if (acceptLanguage === undefined) return fallback;
  for (const range of byPreference(acceptLanguage)) {
    if (range === '*') return fallback;
    const match = matchRange(range, available);
    if (match !== undefined) return match;
  }
  return fallback;
}

function matchRange(range: string, available: readonly string[]): string | undefined {
  let wanted = range;
  while (wanted !== '') {
    const exact = available.find((locale) => locale.toLowerCase() === wanted);
    if (exact !== undefined) return exact;
    wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('-')));
  }
  return available.find((locale) => locale.toLowerCase().startsWith(`${range}-`));
}
