import { checkCount, refuseUnknownMembers } from '../check-argument.ts';
import { invalidArgument } from '../errors.ts';
import type { CallOptions } from '../http/request.ts';
import type { Resource } from '../wire.ts';
import { ListProgress } from './list-progress.ts';
import type { Notice } from './notice.ts';
import type { ListAnswer } from './read-list.ts';

export interface ListAllOptions extends CallOptions {
  /** Resources per request. 1000 unless given, the maximum of Roster. */
  readonly pageSize?: number | undefined;
  /** Whether to read all pages from one snapshot, if the server supports it. True unless given. */
  readonly pin?: boolean | undefined;
  /** Called for every notice. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

interface PageRequest {
  readonly offset: number;
  readonly size: number;
  readonly revision: string | undefined;
  readonly signal: AbortSignal;
}

export type ReadPage = (request: PageRequest) => Promise<ListAnswer>;

const memberNames = ['pageSize', 'pin', 'onNotice', 'signal', 'timeoutMs', 'acceptLanguage'];

/** Every match of a query, each once. It can be read once, and prefetches the next page. */
export class Listing implements AsyncIterable<Resource> {
  /** What was noticed so far. With Roster, at most a hint. */
  readonly notices: Notice[] = [];
  readonly #progress: ListProgress;
  readonly #readPage: ReadPage;
  readonly #pageSize: number;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #stop = new AbortController();
  #hasBegun = false;

  constructor(readPage: ReadPage, options: ListAllOptions) {
    refuseUnknownMembers('the options of listAll', options, memberNames);
    this.#readPage = readPage;
    this.#pageSize = checkCount('pageSize', options.pageSize ?? 1000);
    if (this.#pageSize === 0) throw invalidArgument('pageSize must be at least 1, got 0');
    this.#callerSignal = options.signal;
    const onNotice = (notice: Notice) => {
      this.notices.push(notice);
      options.onNotice?.(notice);
    };
    this.#progress = new ListProgress({ pageSize: this.#pageSize, pin: options.pin ?? true, onNotice });
  }

  /** The server's latest total; undefined before the first page, or if the server sends none. */
  get total(): number | undefined {
    return this.#progress.total;
  }

  /** The listed snapshot; undefined before the first page, or if the server names none. */
  get revision(): string | undefined {
    return this.#progress.pinned;
  }

  // One generator: delegating to another would double the cost per resource.
  async *[Symbol.asyncIterator](): AsyncGenerator<Resource, void, undefined> {
    this.#begin();
    try {
      let next: Promise<ListAnswer> | undefined = this.#request();
      while (next !== undefined) {
        const { fresh, isLast } = this.#progress.take(await next);
        next = isLast ? undefined : this.#request();
        for (const resource of fresh) yield resource;
      }
    } finally {
      this.#callerSignal?.removeEventListener('abort', this.#abort);
      this.#stop.abort();
    }
  }

  #begin(): void {
    if (this.#hasBegun) throw invalidArgument('a listing can be read once; call listAll again');
    this.#hasBegun = true;
    if (this.#callerSignal?.aborted) this.#abort();
    this.#callerSignal?.addEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#stop.abort(this.#callerSignal?.reason);

  #request(): Promise<ListAnswer> {
    const { offset, pinned: revision } = this.#progress;
    const page = this.#readPage({ offset, size: this.#pageSize, revision, signal: this.#stop.signal });
    // The error surfaces where the page is awaited, perhaps much later.
    page.catch(() => {});
    return page;
  }
}
