import { defaultLocale, labelFromKey, negotiateLocale } from '@roster/contract';
import type { TypeCatalog } from './store.ts';

const maxRememberedHeaders = 1000;
const maxRememberedLength = 256;

/** The labels of one state of the type catalog, and which language to use for whom. */
export class Labels {
  readonly revision: number;
  readonly #types: TypeCatalog['types'];
  readonly #locales: readonly string[];
  readonly #negotiated = new Map<string, string>();

  constructor(catalog: TypeCatalog) {
    this.revision = catalog.revision;
    this.#types = catalog.types;
    const locales = new Set([defaultLocale]);
    for (const { labels } of catalog.types.values()) {
      for (const locale of Object.keys(labels)) locales.add(locale);
    }
    this.#locales = [...locales];
  }

  labelOf(typeKey: string, locale: string): string {
    const labels = this.#types.get(typeKey)?.labels;
    return labels?.[locale] ?? labels?.[defaultLocale] ?? labelFromKey(typeKey);
  }

  /** The locale to answer an Accept-Language header with. */
  localeFor(acceptLanguage: string | undefined): string {
    if (acceptLanguage === undefined) return defaultLocale;
    const known = this.#negotiated.get(acceptLanguage);
    if (known !== undefined) return known;
    const locale = negotiateLocale(acceptLanguage, this.#locales, defaultLocale);
    if (acceptLanguage.length > maxRememberedLength) return locale;
    if (this.#negotiated.size >= maxRememberedHeaders) this.#negotiated.clear();
    this.#negotiated.set(acceptLanguage, locale);
    return locale;
  }
}
