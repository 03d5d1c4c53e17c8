import { limits, parseRevision, parseSearchQuery, type SearchQuery, stationKey } from '@roster/contract';
import {
  countFacets,
  type FacetCounts,
  renderRecords,
  type Selection,
  type Snapshot,
  searchSnapshot,
} from '@roster/engine';
import type { Handlers } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { findHints } from '../snapshot/find-hints.ts';
import { type LocalisedSnapshot, localise, localiseView } from '../snapshot/localised-snapshot.ts';
import { PageSender } from '../snapshot/page-sender.ts';
import { keepPage, keptPage, type RememberedUrl, UrlCache } from '../snapshot/url-cache.ts';
import { viewFacets } from './view-facets.ts';

const slots = new Uint32Array(limits.maxPageSize);

export function searchOperations(search: Search): Pick<Handlers, 'searchResources'> {
  return { searchResources: (exchange) => search.answer(exchange) };
}

/** A search that was saved. */
export interface SavedSearch {
  /** Its parameters and the page, as in a URL. */
  readonly search: string;
  readonly version: string;
}

interface AskedSearch {
  readonly asked: RememberedUrl<SearchQuery>;
  /** Of the view, if it is one. */
  readonly version: string | undefined;
}

interface AskedPage {
  readonly snapshot: Snapshot;
  readonly asked: RememberedUrl<SearchQuery>;
  readonly localised: LocalisedSnapshot;
}

/** Searches one station. */
export class Search {
  readonly #options: OperationOptions;
  readonly #sender: PageSender;
  readonly #urls = new UrlCache(parseSearchQuery);

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#sender = new PageSender(options);
  }

  /** Answers the search of a URL, or of a view, in the station of the exchange. */
  answer(exchange: Exchange, view?: SavedSearch): Promise<undefined> | undefined {
    const pinHeader = exchange.request.headers['roster-revision'];
    const pin = pinHeader === undefined ? undefined : parseRevision(String(pinHeader));
    const asked = view === undefined ? this.#urls.find(exchange) : this.#findView(exchange, view);
    const snapshot = this.#options.engine.read(exchange.address!, pin, exchange.principal!.id);
    const version = view?.version;
    if (!(snapshot instanceof Promise)) return this.#answerFrom(snapshot, { asked, version }, exchange);
    return snapshot.then((read) => this.#answerFrom(read, { asked, version }, exchange));
  }

  #findView(exchange: Exchange, { search }: SavedSearch): RememberedUrl<SearchQuery> {
    return this.#urls.findSearch(`${stationKey(exchange.address!)}?${search}`, search);
  }

  #answerFrom(
    snapshot: Snapshot,
    { asked, version }: AskedSearch,
    exchange: Exchange,
  ): Promise<undefined> | undefined {
    const { headers } = exchange.request;
    const labels = this.#options.engine.knownLabels();
    const plain = localise(snapshot, labels, labels.localeFor(headers['accept-language']));
    const localised = version === undefined ? plain : localiseView(plain, version);
    if (matchesEtag(headers['if-none-match'], localised.etag)) {
      this.#sender.sendUnchanged(localised, exchange);
      return undefined;
    }
    const kept = keptPage(asked, localised.etag);
    if (kept === undefined) return this.#find({ snapshot, asked, localised }, exchange);
    this.#sender.sendPage({ body: kept, isKept: true, lines: '' }, localised, exchange);
    return undefined;
  }

  /** What the lists of the snapshot do not answer at once takes turns with other heavy reads. */
  #find(page: AskedPage, exchange: Exchange): Promise<undefined> | undefined {
    const { snapshot, asked } = page;
    const { query } = asked;
    let heavyRead: ReturnType<OperationOptions['heavyReads']['begin']> | undefined;
    const slicer = () => {
      heavyRead ??= this.#options.heavyReads.begin(exchange);
      return heavyRead.endingSlicer;
    };
    const selection = searchSnapshot(snapshot, query, slicer);
    if (!(selection instanceof Promise) && query.facets.length === 0) {
      this.#send(page, selection, undefined, exchange);
      return undefined;
    }
    return (async () => {
      const found = await selection;
      const facets = query.facets.length === 0 ? undefined : await countFacets(snapshot, query, slicer);
      this.#send(page, found, facets, exchange);
      return undefined;
    })();
  }

  #send(
    { snapshot, asked, localised }: AskedPage,
    selection: Selection,
    facets: ReadonlyMap<string, FacetCounts> | undefined,
    exchange: Exchange,
  ): void {
    const { query } = asked;
    const { offset, size } = query.page;
    const count = selection.read(offset, size, slots);
    const rows = { snapshot, slots, count, overrides: localised.overrides };
    const end = JSON.stringify({
      page: { offset, size, total: selection.total },
      facets: facets === undefined ? null : viewFacets(facets),
      hints: selection.total === 0 ? findHints(snapshot, query) : [],
    });
    const body = this.#render(renderRecords(rows, ',', Buffer.allocUnsafe), end);
    keepPage(asked, localised.etag, body);
    this.#sender.sendPage({ body, isKept: false, lines: '' }, localised, exchange);
  }

  /** There is a comma after each record, the last one too. `end` is an object that continues. */
  #render(records: Buffer, end: string): Buffer {
    const start = '{"resources":[';
    const rest = `],${end.slice(1)}`;
    const recordBytes = Math.max(0, records.length - 1);
    const page = this.#options.writer.take(start.length + recordBytes + Buffer.byteLength(rest));
    page.write(start, 0, 'latin1');
    records.copy(page, start.length, 0, recordBytes);
    page.write(rest, start.length + recordBytes);
    return page;
  }
}
