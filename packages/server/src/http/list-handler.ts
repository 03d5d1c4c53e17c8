import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ListQuery,
  limits,
  type PageRequest,
  parseListQuery,
  parseRevision,
  RosterError,
  type StationAddress,
} from '@roster/contract';
import { type Engine, type Labels, renderRows, type Selection, type Snapshot } from '@roster/engine';
import { parseStationPath } from './parse-station-path.ts';
import { matchesEtag, type Rendition, renditionOf } from './rendition.ts';
import { streamList } from './stream-list.ts';

export interface ListHandlerOptions {
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly onError: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}

const maxRememberedPaths = 10_000;

/**
 * The documented list operation, directly on `node:http`: it is asked all day, and a framework's share of
 * such a short answer is large. Everything else goes through Fastify.
 */
export class ListHandler {
  readonly #engine: Engine;
  readonly #options: ListHandlerOptions;
  readonly #addresses = new Map<string, StationAddress>();

  constructor(engine: Engine, options: ListHandlerOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** Answers the request if it is a read of the list; returns whether it was. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const url = request.url!;
    const queryAt = url.indexOf('?');
    const path = queryAt === -1 ? url : url.slice(0, queryAt);
    try {
      const address = this.#addressOf(path);
      if (address === undefined) return false;
      this.#answer(address, queryAt === -1 ? '' : url.slice(queryAt + 1), request, response);
    } catch (error) {
      this.#options.onError(error, request, response);
    }
    return true;
  }

  #addressOf(path: string): StationAddress | undefined {
    const known = this.#addresses.get(path);
    if (known !== undefined) return known;
    const address = parseStationPath(path);
    if (address === undefined) return undefined;
    if (this.#addresses.size >= maxRememberedPaths) this.#addresses.clear();
    this.#addresses.set(path, address);
    return address;
  }

  #answer(address: StationAddress, search: string, request: IncomingMessage, response: ServerResponse): void {
    const query = parseListQuery(search, { strict: this.#options.strictQuery });
    const pinHeader = request.headers['roster-revision'];
    const pin = pinHeader === undefined ? undefined : parseRevision(String(pinHeader));
    const snapshot = this.#engine.read(address, pin);
    const labels = this.#engine.labels();
    if (snapshot instanceof Promise || labels instanceof Promise) {
      Promise.all([snapshot, labels])
        .then(([readySnapshot, readyLabels]) =>
          this.#respond({ query, snapshot: readySnapshot, labels: readyLabels }, request, response),
        )
        .catch((error) => this.#options.onError(error, request, response));
    } else this.#respond({ query, snapshot, labels }, request, response);
  }

  #respond(input: AnswerInput, request: IncomingMessage, response: ServerResponse): void {
    const { query, snapshot, labels } = input;
    const { headers } = request;
    const rendition = renditionOf(snapshot, labels, labels.localeFor(headers['accept-language']));
    const ifNoneMatch = headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, rendition.etag)) {
      response.writeHead(304, commonHeaders(rendition));
      response.end();
      return;
    }
    const selection = snapshot.select(query);
    const list = { snapshot, selection, rendition };
    if (query.page !== null) respondWithPage(list, query.page, request, response);
    else this.#respondWithAll(list, request, response);
  }

  #respondWithAll(list: SelectedList, request: IncomingMessage, response: ServerResponse): void {
    const { total } = list.selection;
    const { maxUnpaged } = this.#options;
    if (total > maxUnpaged) {
      throw new RosterError(
        'paging_required',
        `${total} resources match, more than the ${maxUnpaged} that one answer may hold; ask for pages with page.offset and page.size`,
        { extensions: { total } },
      );
    }
    response.writeHead(200, ['Content-Type', contentType, ...commonHeaders(list.rendition)]);
    if (request.method === 'HEAD') response.end();
    else streamList(response, list).catch((error) => this.#options.onError(error, request, response));
  }
}

interface AnswerInput {
  readonly query: ListQuery;
  readonly snapshot: Snapshot;
  readonly labels: Labels;
}

interface SelectedList {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly rendition: Rendition;
}

const contentType = 'application/json; charset=utf-8';
const slots = new Uint32Array(limits.maxPageSize);

function respondWithPage(
  { snapshot, selection, rendition }: SelectedList,
  { offset, size }: PageRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const count = selection.read(offset, size, slots);
  const page = `],"page":{"offset":${offset},"size":${size},"total":${selection.total}}}`;
  const body = renderRows('{"resources":[', { snapshot, slots, count, overrides: rendition.overrides }, page);
  response.writeHead(200, [
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
    ...commonHeaders(rendition),
  ]);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function commonHeaders(rendition: Rendition): string[] {
  return [
    'ETag',
    rendition.etag,
    'Roster-Revision',
    rendition.revision,
    'Content-Language',
    rendition.locale,
    'Vary',
    'Accept-Language, Roster-Revision',
  ];
}
