import {
  type ListQuery,
  limits,
  type PageRequest,
  parseListQuery,
  parseRevision,
  RosterError,
} from '@roster/contract';
import { renderRows, type Selection, type Snapshot, type TimeSlicer } from '@roster/engine';
import { type Answer, type Handlers, jsonType } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { findHints } from '../snapshot/find-hints.ts';
import { type LocalisedSnapshot, localise } from '../snapshot/localised-snapshot.ts';
import { PageSender } from '../snapshot/page-sender.ts';
import { keepPage, keptPage, type RememberedUrl, UrlCache } from '../snapshot/url-cache.ts';

type ListUrl = RememberedUrl<ListQuery>;

const slots = new Uint32Array(limits.maxPageSize);
const rowsPerChunk = 100;
const emptyList = Buffer.from('{"resources":[],"page":null}');

/** The documented list operation. It is called all day, so pages are written raw, from reused memory. */
export function listOperations(options: OperationOptions): Pick<Handlers, 'listResources'> {
  const list = new List(options);
  return { listResources: (exchange) => list.answer(exchange) };
}

class List {
  readonly #options: OperationOptions;
  readonly #urls: UrlCache<ListQuery>;
  readonly #sender: PageSender;

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#urls = new UrlCache((search) => parseListQuery(search, { strict: options.strictQuery }));
    this.#sender = new PageSender(options);
  }

  answer(exchange: Exchange): Promise<Answer | undefined> | Answer | undefined {
    const pinHeader = exchange.request.headers['roster-revision'];
    const pin = pinHeader === undefined ? undefined : parseRevision(String(pinHeader));
    // An invalid list is refused before anything is looked up.
    const asked = this.#urls.find(exchange);
    const snapshot = this.#options.engine.read(exchange.address!, pin, exchange.principal!.id);
    if (!(snapshot instanceof Promise)) return this.#answerFrom(snapshot, asked, exchange);
    return snapshot.then((read) => this.#answerFrom(read, asked, exchange));
  }

  #answerFrom(snapshot: Snapshot, asked: ListUrl, exchange: Exchange): Answer | undefined {
    const { headers } = exchange.request;
    const labels = this.#options.engine.knownLabels();
    const localised = localise(snapshot, labels, labels.localeFor(headers['accept-language']));
    const { page } = asked.query;
    // What would be refused is not unchanged.
    const all = page === null ? this.#selectAll(snapshot, asked.query) : undefined;
    if (matchesEtag(headers['if-none-match'], localised.etag)) {
      this.#sender.sendUnchanged(localised, exchange);
    } else if (page !== null) {
      this.#sendPage(page, { snapshot, asked, localised }, exchange);
    } else if (all!.total === 0) {
      const lines = hintLines(snapshot, asked.query);
      this.#sender.sendPage({ body: emptyList, isKept: true, lines }, localised, exchange);
    } else return this.#answerWithAll({ snapshot, selection: all!, localised }, exchange);
    return undefined;
  }

  #sendPage(page: PageRequest, { snapshot, asked, localised }: AskedPage, exchange: Exchange): void {
    const kept = keptPage(asked, localised.etag);
    const body = kept ?? this.#render(page, { snapshot, asked, localised });
    this.#sender.sendPage({ body, isKept: kept !== undefined, lines: asked.lines }, localised, exchange);
  }

  #render({ offset, size }: PageRequest, { snapshot, asked, localised }: AskedPage): Buffer {
    const selection = snapshot.select(asked.query);
    const count = selection.read(offset, size, slots);
    const end = `],"page":{"offset":${offset},"size":${size},"total":${selection.total}}}`;
    const rows = { snapshot, slots, count, overrides: localised.overrides };
    asked.lines = selection.total === 0 ? hintLines(snapshot, asked.query) : '';
    const body = renderRows('{"resources":[', rows, end, this.#options.writer.take);
    keepPage(asked, localised.etag, body);
    return body;
  }

  /** Throws `paging_required`. */
  #selectAll(snapshot: Snapshot, query: ListQuery): Selection {
    const selection = snapshot.select(query);
    const { total } = selection;
    const { maxUnpaged } = this.#options;
    if (total <= maxUnpaged) return selection;
    throw new RosterError(
      'paging_required',
      `${total} resources match, more than the ${maxUnpaged} of one answer; request pages with page.offset and page.size`,
      { extensions: { total } },
    );
  }

  #answerWithAll({ snapshot, selection, localised }: WholeList, exchange: Exchange): Answer {
    const isLong = selection.total > limits.maxPageSize;
    const slicer = isLong ? this.#options.heavyReads.begin(exchange).slicer : undefined;
    return {
      headers: { ...localised.headers, 'Content-Type': jsonType },
      body: listChunks({ snapshot, selection, overrides: localised.overrides }, slicer),
    };
  }
}

/** What may have been meant, for a list that found nothing. */
function hintLines(snapshot: Snapshot, { types, product }: ListQuery): string {
  const hints = findHints(snapshot, { types, product });
  return hints.map((hint) => `Roster-Hint: ${inAscii(hint)}\r\n`).join('');
}

function inAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

interface AskedPage {
  readonly snapshot: Snapshot;
  readonly asked: ListUrl;
  readonly localised: LocalisedSnapshot;
}

interface WholeList {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly localised: LocalisedSnapshot;
}

interface ListedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: LocalisedSnapshot['overrides'];
}

/** A list without paging that found something, rendered as it is pulled. A long one takes turns with others. */
async function* listChunks(rows: ListedRows, slicer?: TimeSlicer): AsyncGenerator<Buffer | string> {
  const { snapshot, selection, overrides } = rows;
  const chunkSlots = new Uint32Array(rowsPerChunk);
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    await slicer?.pause();
    const count = selection.read(offset, rowsPerChunk, chunkSlots);
    const before = offset === 0 ? '{"resources":[' : ',';
    yield renderRows(before, { snapshot, slots: chunkSlots, count, overrides }, '', Buffer.allocUnsafe);
  }
  yield '],"page":null}';
}
