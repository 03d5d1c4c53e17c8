import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type ListQuery,
  limits,
  operations,
  type PageRequest,
  parseRevision,
  RosterError,
} from '@roster/contract';
import { type Engine, renderRows, type Selection, type Snapshot } from '@roster/engine';
import type { Authenticator } from '../access/authenticator.ts';
import { authorise } from '../access/authorise.ts';
import type { OpenExchanges } from '../access/open-exchanges.ts';
import type { Principal } from '../access/principal.ts';
import type { Gate } from '../protection/gate.ts';
import type { LoadShedder } from '../protection/load-shedder.ts';
import { type RateLimits, setRawHeaders } from '../protection/rate-limits.ts';
import { joinHeaders, type RawHeaders } from './header-lines.ts';
import { keepPage, type PreparedRequest, PreparedRequests } from './prepared-request.ts';
import { matchesEtag, type Rendition, renditionOf } from './rendition.ts';
import { contextOf } from './request-context.ts';
import { streamList } from './stream-list.ts';
import { TurnBatch } from './turn-batch.ts';
import { WholeAnswers } from './whole-answers.ts';

export interface ListHandlerOptions {
  readonly strictQuery: boolean;
  readonly maxUnpaged: number;
  readonly authenticator: Authenticator;
  readonly exchanges: OpenExchanges;
  readonly gate: Gate;
  readonly shedder: LoadShedder;
  readonly keepAliveMs: number;
  readonly isDraining: () => boolean;
  readonly rates: RateLimits;
  readonly onError: (error: unknown, request: IncomingMessage, response: ServerResponse) => void;
}

const contentType = 'application/json; charset=utf-8';
const slots = new Uint32Array(limits.maxPageSize);

/**
 * The documented list operation, directly on `node:http`: it is asked all day, and a framework's share of
 * such a short answer is large. Everything else goes through Fastify. Lists that are asked for in one turn of the
 * event loop are made together at its end, and then sent together.
 */
export class ListHandler {
  readonly #engine: Engine;
  readonly #options: ListHandlerOptions;
  readonly #requests: PreparedRequests;
  readonly #answers: WholeAnswers;
  readonly #asked = new TurnBatch<Exchange>((exchanges) => this.#answerAll(exchanges));

  constructor(engine: Engine, options: ListHandlerOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#requests = new PreparedRequests({ strict: options.strictQuery });
    this.#answers = new WholeAnswers(options);
  }

  /** Answers the request, which came at `atMs`, if it is a read of the list; returns whether it was. */
  handle(request: IncomingMessage, response: ServerResponse, atMs: number): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    try {
      const prepared = this.#requests.prepare(request.url!);
      if (prepared === undefined) return false;
      this.#asked.add({ prepared, request, response, atMs, principal: undefined, rateHeaders: [] });
    } catch (error) {
      this.#options.onError(error, request, response);
    }
    return true;
  }

  /** Answers now what would be answered at the end of this turn. */
  readonly finishTurn = (): void => {
    this.#asked.finish();
    this.#answers.finishTurn();
  };

  #answerAll(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) this.#admit(exchange);
    this.#answers.finishTurn();
    for (const { response, atMs } of exchanges) {
      if (!response.writableEnded) this.#options.shedder.wait(response, atMs);
    }
  }

  #admit(exchange: Exchange): void {
    try {
      const principal = this.#options.authenticator.authenticate(exchange.request);
      if (!(principal instanceof Promise)) this.#answer(exchange, principal);
      else {
        principal
          .then((known) => this.#answer(exchange, known))
          .catch((error) => this.#fail(exchange, error));
      }
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #answer(exchange: Exchange, principal: Principal): void {
    const { prepared, request, response } = exchange;
    exchange.principal = principal;
    exchange.rateHeaders = this.#options.rates.take(principal, request, response);
    authorise(operations.listResources.access, principal, prepared.address);
    const pinHeader = request.headers['roster-revision'];
    const pin = pinHeader === undefined ? undefined : parseRevision(String(pinHeader));
    // A list that cannot be is refused before anything is looked up.
    const { query } = prepared;
    const snapshot = this.#engine.read(prepared.address, pin);
    if (snapshot instanceof Promise) {
      snapshot.then(
        (read) => this.#respondOrFail(exchange, query, read),
        (error) => this.#fail(exchange, error),
      );
    } else this.#respond(exchange, query, snapshot);
  }

  #respondOrFail(exchange: Exchange, query: ListQuery, snapshot: Snapshot): void {
    try {
      this.#respond(exchange, query, snapshot);
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  #respond(exchange: Exchange, query: ListQuery, snapshot: Snapshot): void {
    const { request, response } = exchange;
    const { headers } = request;
    const labels = this.#engine.knownLabels();
    const rendition = renditionOf(snapshot, labels, labels.localeFor(headers['accept-language']));
    const ifNoneMatch = headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, rendition.etag)) {
      this.#answers.sendHead(response, { status: 304, lines: this.#linesOf(rendition, exchange) });
    } else if (query.page === null) {
      this.#respondWithAll({ snapshot, selection: snapshot.select(query), rendition }, exchange);
    } else this.#respondWithPage(query.page, snapshot, rendition, exchange);
  }

  #respondWithPage(page: PageRequest, snapshot: Snapshot, rendition: Rendition, exchange: Exchange): void {
    const { prepared, request, response } = exchange;
    const isKept = prepared.page !== undefined && prepared.etag === rendition.etag;
    const body = isKept ? prepared.page! : this.#render(prepared, page, snapshot, rendition);
    const about = `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n`;
    const head = { status: 200, lines: about + this.#linesOf(rendition, exchange) } as const;
    if (request.method === 'HEAD') this.#answers.sendHead(response, head);
    else {
      if (isKept) this.#answers.take(body.length).set(body);
      this.#answers.sendTaken(response, head);
    }
  }

  /** The headers that all answers have that come from one rendition. */
  #linesOf(rendition: Rendition, { request, rateHeaders }: Exchange): string {
    const lines = rendition.headerLines + this.#options.gate.headerLinesFor(request);
    return lines + joinHeaders(rateHeaders);
  }

  #render(
    prepared: PreparedRequest,
    { offset, size }: PageRequest,
    snapshot: Snapshot,
    rendition: Rendition,
  ): Buffer {
    const selection = snapshot.select(prepared.query);
    const count = selection.read(offset, size, slots);
    const page = `],"page":{"offset":${offset},"size":${size},"total":${selection.total}}}`;
    const rows = { snapshot, slots, count, overrides: rendition.overrides };
    const body = renderRows('{"resources":[', rows, page, this.#answers.take);
    keepPage(prepared, rendition.etag, body);
    return body;
  }

  #fail({ request, response, prepared, principal, rateHeaders }: Exchange, error: unknown): void {
    if (!response.headersSent) setRawHeaders(response, rateHeaders);
    const context = contextOf(request);
    context.operation = 'listResources';
    context.address = prepared.address;
    context.principal = principal;
    this.#options.onError(error, request, response);
  }

  #respondWithAll(list: SelectedList, { request, response, rateHeaders, principal }: Exchange): void {
    const { total } = list.selection;
    const { maxUnpaged } = this.#options;
    if (total > maxUnpaged) {
      throw new RosterError(
        'paging_required',
        `${total} resources match, more than the ${maxUnpaged} that one answer may hold; ask for pages with page.offset and page.size`,
        { extensions: { total } },
      );
    }
    const common = this.#options.gate.headersFor(request);
    response.writeHead(200, [
      'Content-Type',
      contentType,
      ...list.rendition.headers,
      ...common,
      ...rateHeaders,
    ]);
    this.#options.exchanges.watch(response, principal!);
    if (request.method === 'HEAD') response.end();
    else streamList(response, list).catch((error) => this.#options.onError(error, request, response));
  }
}

interface Exchange {
  readonly prepared: PreparedRequest;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly atMs: number;
  /** Undefined until it is known. */
  principal: Principal | undefined;
  rateHeaders: RawHeaders;
}

interface SelectedList {
  readonly snapshot: Snapshot;
  readonly selection: Selection;
  readonly rendition: Rendition;
}
