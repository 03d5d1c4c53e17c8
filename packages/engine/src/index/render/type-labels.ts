import { dataDamaged, defaultLocale, labelFromKey, negotiateLocale, quote } from '@roster/contract';
import type { TypeCatalog } from '../../port/store.ts';

const maxRememberedHeaders = 1000;
const maxRememberedLength = 256;

/** The labels of one revision of the type catalog, and language negotiation. */
export class Labels {
  readonly revision: number;
  readonly #types: TypeCatalog['types'];
  readonly #isDamaged: boolean;
  readonly #locales: readonly string[];
  readonly #negotiated = new Map<string, string>();

  constructor(catalog: TypeCatalog) {
    this.revision = catalog.revision;
    this.#types = catalog.types;
    this.#isDamaged = catalog.isDamaged;
    const locales = new Set([defaultLocale]);
    for (const { labels } of catalog.types.values()) {
      for (const locale of Object.keys(labels)) locales.add(locale);
    }
    this.#locales = [...locales];
  }

  /** Throws `data_damaged` when the type may be one that cannot be read. */
  labelOf(typeKey: string, locale: string): string {
    const labels = this.#types.get(typeKey)?.labels;
    if (labels === undefined && this.#isDamaged) throw dataDamaged(`the resource type ${quote(typeKey)}`);
    return labels?.[locale] ?? labels?.[defaultLocale] ?? labelFromKey(typeKey);
  }

  /** The locale for an Accept-Language header. */
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
