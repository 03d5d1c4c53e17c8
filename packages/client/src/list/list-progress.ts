import { RosterClientError } from '../errors.ts';
import type { Page, Resource } from '../wire.ts';
import { countDiffers, duplicates, hinted, type Notice, offsetIgnored, totalChanged } from './notice.ts';
import type { ListAnswer } from './read-list.ts';

export interface ListProgressOptions {
  /** Resources per request. */
  readonly pageSize: number;
  /** Whether to read all pages from one snapshot. */
  readonly pin: boolean;
  readonly onNotice: (notice: Notice) => void;
}

export interface Step {
  /** Resources not seen before. */
  readonly fresh: readonly Resource[];
  readonly isLast: boolean;
}

const maxStalePages = 2;

/** Tracks how far a list has been read, and when it ends. Never looks at `page.size`. */
export class ListProgress {
  /** Offset of the next page: what was received, not what was requested. */
  offset = 0;
  total: number | undefined;
  /** The snapshot of every page; undefined if the server names none. */
  pinned: string | undefined;
  readonly #options: ListProgressOptions;
  readonly #seen = new Set<string>();
  #hasBegun = false;
  #count = 0;
  #stalePages = 0;
  #previousFirst: string | undefined;

  constructor(options: ListProgressOptions) {
    this.#options = options;
  }

  take(answer: ListAnswer): Step {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      if (answer.hint !== undefined) this.#options.onNotice(hinted(answer.hint));
      if (this.#options.pin && answer.page !== null) this.pinned = answer.revision;
    } else this.#checkPin(answer.revision);
    this.#noteTotal(answer.page);
    const fresh = this.pinned === undefined ? this.#unseen(answer) : this.#unlessRepeated(answer);
    const length = answer.resources.length;
    this.offset += length;
    this.#count += fresh.length;
    const isLast = fresh.length === 0 ? this.#isExhausted(length) : this.#isComplete(length);
    if (isLast && this.total !== undefined && this.#count !== this.total) {
      this.#options.onNotice(countDiffers(this.#count, this.total));
    }
    return { fresh, isLast };
  }

  #checkPin(revision: string | undefined): void {
    if (this.pinned === undefined || revision === this.pinned) return;
    throw new RosterClientError(
      'malformed_answer',
      `asked for revision ${this.pinned} and got ${revision ?? 'none'}: a proxy drops the header ` +
        'Roster-Revision; let it through, or list with pin: false',
    );
  }

  #noteTotal(page: Page | null): void {
    if (page === null) return;
    if (this.total !== undefined && this.total !== page.total) {
      if (this.pinned !== undefined) throw this.#brokenSnapshot(page.total);
      this.#options.onNotice(totalChanged(this.offset, this.total, page.total));
    }
    this.total = page.total;
  }

  #unseen({ resources }: ListAnswer): readonly Resource[] {
    const seen = this.#seen;
    const fresh: Resource[] = [];
    const repeated: string[] = [];
    for (const resource of resources) {
      const { resource_id: id } = resource;
      if (seen.has(id)) repeated.push(id);
      else {
        seen.add(id);
        fresh.push(resource);
      }
    }
    if (repeated.length > 0 && fresh.length > 0) this.#options.onNotice(duplicates(this.offset, repeated));
    return fresh;
  }

  /** A snapshot has no duplicates, so no ids are kept; only a cache in between could repeat a page. */
  #unlessRepeated({ resources }: ListAnswer): readonly Resource[] {
    const first = resources[0]?.resource_id;
    const isRepeated = first !== undefined && first === this.#previousFirst;
    this.#previousFirst = first;
    return isRepeated ? [] : resources;
  }

  /** Some servers send short pages, and some ignore paging and send everything. */
  #isComplete(length: number): boolean {
    this.#stalePages = 0;
    const { pageSize } = this.#options;
    if (this.total === undefined) return length > pageSize;
    // After a full page that reaches the total there may be more: some servers count the page, not the list.
    return this.offset >= this.total && (this.pinned !== undefined || length !== pageSize);
  }

  /** A page without new resources is the end, unless the server counts more. */
  #isExhausted(length: number): boolean {
    const { total = 0 } = this;
    if (length === 0) {
      if (this.offset < total) throw this.#incomplete();
      return true;
    }
    if (this.#count >= total) {
      this.#options.onNotice(offsetIgnored(this.offset - length));
      return true;
    }
    // Insertions before this page can push a whole page of known resources into it, once.
    if (++this.#stalePages === maxStalePages) throw this.#incomplete();
    return false;
  }

  #brokenSnapshot(total: number): RosterClientError {
    return new RosterClientError(
      'malformed_answer',
      `revision ${this.pinned} had ${this.total} matches and now has ${total}; list with pin: false`,
    );
  }

  #incomplete(): RosterClientError {
    return new RosterClientError(
      'incomplete_list',
      `the server counts ${this.total} resources but sent ${this.#count}, and nothing new at offset ${this.offset}: ` +
        'it ignores page.offset or interprets it differently',
    );
  }
}
