import { limits, type PageRequest, parseRevision, RosterError } from '@roster/contract';
import { renderRows, type Selection, type Snapshot, type TimeSlicer } from '@roster/engine';
import { type Answer, type Handlers, jsonType } from '../../http/answer.ts';
import type { Exchange } from '../../http/exchange.ts';
import { joinHeaders, matchesEtag } from '../../http/headers.ts';
import type { OperationOptions } from '../operation-options.ts';
import { type LocalisedSnapshot, localise } from '../snapshot/localised-snapshot.ts';
import { keepPage, keptPage, type ListUrl, ListUrlCache } from './list-url-cache.ts';

const slots = new Uint32Array(limits.maxPageSize);
const rowsPerChunk = 100;

/** The documented list operation. It is called all day, so pages are written raw, from reused memory. */
export function listOperations(options: OperationOptions): Pick<Handlers, 'listResources'> {
  const list = new List(options);
  return { listResources: (exchange) => list.answer(exchange) };
}

class List {
  readonly #options: OperationOptions;
  readonly #urls: ListUrlCache;

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#urls = new ListUrlCache({ strict: options.strictQuery });
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
    if (matchesEtag(headers['if-none-match'], localised.etag)) {
      const lines = this.#headerLines(localised, exchange);
      this.#options.writer.sendHead(exchange.response, { status: 304, lines });
      return undefined;
    }
    const { page } = asked.query;
    if (page === null)
      return this.#answerWithAll(snapshot, snapshot.select(asked.query), localised, exchange);
    this.#sendPage(page, { snapshot, asked, localised }, exchange);
    return undefined;
  }

  #sendPage(page: PageRequest, { snapshot, asked, localised }: AskedPage, exchange: Exchange): void {
    const { writer } = this.#options;
    const kept = keptPage(asked, localised.etag);
    const body = kept ?? this.#render(page, { snapshot, asked, localised });
    const about = `Content-Type: ${jsonType}\r\nContent-Length: ${body.length}\r\n`;
    const head = { status: 200, lines: about + this.#headerLines(localised, exchange) } as const;
    if (exchange.request.method === 'HEAD') writer.sendHead(exchange.response, head);
    else {
      if (kept !== undefined) writer.take(kept.length).set(kept);
      writer.sendTaken(exchange.response, head);
    }
  }

  #render({ offset, size }: PageRequest, { snapshot, asked, localised }: AskedPage): Buffer {
    const selection = snapshot.select(asked.query);
    const count = selection.read(offset, size, slots);
    const end = `],"page":{"offset":${offset},"size":${size},"total":${selection.total}}}`;
    const rows = { snapshot, slots, count, overrides: localised.overrides };
    const body = renderRows('{"resources":[', rows, end, this.#options.writer.take);
    keepPage(asked, localised.etag, body);
    return body;
  }

  #headerLines(localised: LocalisedSnapshot, exchange: Exchange): string {
    const lines = localised.headerLines + this.#options.browserProtection.headerLinesFor(exchange);
    return lines + joinHeaders(exchange.rateHeaders);
  }

  #answerWithAll(
    snapshot: Snapshot,
    selection: Selection,
    { headers, overrides }: LocalisedSnapshot,
    exchange: Exchange,
  ): Answer {
    const { total } = selection;
    const { maxUnpaged, heavyReads } = this.#options;
    if (total > maxUnpaged) {
      throw new RosterError(
        'paging_required',
        `${total} resources match, more than the ${maxUnpaged} of one answer; request pages with page.offset and page.size`,
        { extensions: { total } },
      );
    }
    const slicer = total > limits.maxPageSize ? heavyReads.begin(exchange).slicer : undefined;
    return {
      headers: { ...headers, 'Content-Type': jsonType },
      body: listChunks({ snapshot, selection, overrides }, slicer),
    };
  }
}

interface AskedPage {
  readonly snapshot: Snapshot;
  readonly asked: ListUrl;
  readonly localised: LocalisedSnapshot;
}

interface ListedRows {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly overrides: LocalisedSnapshot['overrides'];
}

/** A list without paging, rendered as it is pulled. A long one takes turns with others. */
async function* listChunks(rows: ListedRows, slicer?: TimeSlicer): AsyncGenerator<Buffer | string> {
  const { snapshot, selection, overrides } = rows;
  const chunkSlots = new Uint32Array(rowsPerChunk);
  for (let offset = 0; offset < selection.total; offset += rowsPerChunk) {
    await slicer?.pause();
    const count = selection.read(offset, rowsPerChunk, chunkSlots);
    const before = offset === 0 ? '{"resources":[' : ',';
    yield renderRows(before, { snapshot, slots: chunkSlots, count, overrides }, '', Buffer.allocUnsafe);
  }
  yield selection.total === 0 ? '{"resources":[],"page":null}' : '],"page":null}';
}
