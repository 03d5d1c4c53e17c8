import {
  anyTime,
  formatHistoryPosition,
  formatRevision,
  type HistoryPosition,
  parseRevision,
  type SearchFilters,
  type StationAddress,
  stationKey,
} from '@roster/contract';
import type { Head, HistoryPage, Labels, Store } from '@roster/engine';
import type { HeavyRead } from '../../pipeline/shedding/heavy-reads.ts';
import { readVisibleHistory, viewPastChanges } from './read-history.ts';

const changesPerPage = 200;
const maxSharedPages = 64;

export interface PageRequest {
  readonly address: StationAddress;
  readonly since: HistoryPosition;
  readonly resourceId: string | undefined;
  readonly filters: SearchFilters | undefined;
  readonly head: Head;
  readonly labels: Labels;
  readonly locale: string;
}

export interface StreamPage {
  /** Server-sent events; empty if none of the changes was asked for. */
  readonly text: string;
  readonly next: HistoryPosition;
}

/** Reads changes as events. Streams at the same position share a page. */
export class StreamPages {
  readonly #store: Store;
  readonly #shared = new Map<string, Promise<StreamPage>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The changes after `since`, up to `head` if they fit into a page. */
  read(request: PageRequest, read: HeavyRead): Promise<StreamPage> {
    const key = keyOf(request);
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const page = this.#read(request, read);
    this.#shared.set(key, page);
    page.catch(() => this.#shared.delete(key));
    for (const oldest of this.#shared.keys()) {
      if (this.#shared.size <= maxSharedPages) break;
      this.#shared.delete(oldest);
    }
    return page;
  }

  async #read(
    { address, since, resourceId, filters, labels, locale }: PageRequest,
    read: HeavyRead,
  ): Promise<StreamPage> {
    const query = { since, resourceId, limit: changesPerPage };
    const page = await read.ask(() => readVisibleHistory(this.#store, address, query));
    await read.slicer.pause();
    const labelOf = (typeKey: string) => labels.labelOf(typeKey, locale);
    return { text: renderEvents(page, filters, labelOf), next: page.next };
  }
}

function keyOf({ address, since, resourceId, filters, head, labels, locale }: PageRequest): string {
  const place = `${formatHistoryPosition(since)}\n${formatRevision(head)}`;
  return `${stationKey(address)}\n${place}\n${labels.revision}\n${locale}\n${resourceId ?? ''}\n${keyOfFilters(filters)}`;
}

function keyOfFilters(filters: SearchFilters | undefined): string {
  return filters === undefined ? '' : JSON.stringify([filters, [...filters.labels]]);
}

/** One event per revision. Only the last one may be incomplete; the next page continues it. */
function renderEvents(
  page: HistoryPage,
  filters: SearchFilters | undefined,
  labelOf: (typeKey: string) => string,
): string {
  let text = '';
  const { next } = page;
  const byRevision = Map.groupBy(
    viewPastChanges(page, { filters, stateChangesOnly: false, changedMs: anyTime }, labelOf),
    ({ revision }) => revision,
  );
  for (const [formatted, changes] of byRevision) {
    const revision = parseRevision(formatted);
    const complete = next.number >= revision.number;
    text += renderEvent('changes', complete ? revision : next, {
      revision: formatted,
      complete,
      changes,
    });
  }
  return text;
}

/** `id` is the position after this event. */
export function renderEvent(event: string, id: HistoryPosition, data: object): string {
  return `id: ${formatHistoryPosition(id)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
