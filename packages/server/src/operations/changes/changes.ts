import type { IncomingMessage } from 'node:http';
import {
  anyTime,
  formatHistoryPosition,
  formatRevision,
  type HistoryPosition,
  parseChangesQuery,
  parseHistoryPosition,
  parseStreamQuery,
} from '@roster/contract';
import type { HistoryBeginning, HistoryPage } from '@roster/engine';
import { clientLeft, type Handlers, jsonType } from '../../http/answer.ts';
import type { OperationOptions } from '../operation-options.ts';
import { labelsForRequest } from '../snapshot/request-labels.ts';
import type { OpenStreams } from './open-streams.ts';
import { isWanted, readVisibleHistory, viewPastChanges, type WantedChanges } from './read-history.ts';

/** The store reads, and the event loop renders, this many in a few milliseconds. */
const changesPerPart = 500;

/** A page with filters ends here, even if it is not full. */
const maxParts = 40;

/** The changes of a station, in pages and as a stream. */
export function changeOperations(
  { store, engine, heavyReads }: OperationOptions,
  streams: OpenStreams,
): Pick<Handlers, 'listChanges' | 'streamChanges'> {
  return {
    async listChanges(exchange) {
      const query = parseChangesQuery(exchange.search);
      const read = heavyReads.begin(exchange);
      const address = exchange.address!;
      const { labelOf, headers } = await labelsForRequest(exchange.request, engine);
      const changes: string[] = [];
      const { changedMs, resourceId } = query;
      const fromMs = changedMs.from === anyTime.from ? undefined : changedMs.from;
      let { since, limit: left } = query;
      let page: HistoryPage;
      let parts = 0;
      do {
        const readPart = (limit: number) =>
          read.ask(async () =>
            upTo(
              changedMs.to,
              await readVisibleHistory(store, address, { since, fromMs, resourceId, limit }),
            ),
          );
        page = await readPart(isSelective(query) ? changesPerPart : Math.min(left, changesPerPart));
        await read.slicer.pause();
        let views = viewPastChanges(page, query, labelOf);
        if (views.length > left) {
          page = await readPart(countUpTo(page, query, left));
          views = viewPastChanges(page, query, labelOf);
        }
        if (views.length > 0) changes.push(JSON.stringify(views).slice(1, -1));
        left -= views.length;
        since = page.next;
        parts++;
      } while (left > 0 && page.hasMore && parts < maxParts);
      const { from, next, hasMore } = page;
      const place = {
        next: formatHistoryPosition(next),
        has_more: hasMore,
        history_from: viewBeginning(from, next),
      };
      return {
        headers: { ...headers, 'Content-Type': jsonType },
        body: `{"changes":[${changes}],${JSON.stringify(place).slice(1)}`,
      };
    },

    async streamChanges(exchange) {
      const { since, resourceId, filters } = parseStreamQuery(exchange.search);
      const { request } = exchange;
      const stream = {
        address: exchange.address!,
        since: lastEventId(request) ?? since,
        resourceId,
        filters,
        acceptLanguage: request.headers['accept-language'],
        read: heavyReads.follow(exchange),
      };
      await streams.serve(stream, (end) => {
        if (exchange.isClosed) throw clientLeft();
        exchange.onRevoked = () => end(exchange.response);
        return exchange.prepare();
      });
      return undefined;
    },
  };
}

function viewBeginning({ revision, changedAtMs }: HistoryBeginning, { epoch }: HistoryPosition) {
  return {
    revision: formatRevision({ epoch, number: revision }),
    time: changedAtMs === undefined ? null : new Date(changedAtMs).toISOString(),
  };
}

/** Whether there may be fewer matches than changes. */
function isSelective({ filters, stateChangesOnly, changedMs }: WantedChanges): boolean {
  return filters !== undefined || stateChangesOnly || changedMs.from !== anyTime.from;
}

/** The changes made before a time. Nothing that is wanted comes after the first that was made later. */
function upTo(ms: number, page: HistoryPage): HistoryPage {
  const end = page.changes.findIndex(({ changedAtMs }) => changedAtMs >= ms);
  return end === -1 ? page : { ...page, changes: page.changes.slice(0, end), hasMore: false };
}

/** How many changes there are up to the one that is the nth to match. */
function countUpTo({ changes }: HistoryPage, wanted: WantedChanges, count: number): number {
  let matches = 0;
  return 1 + changes.findIndex((change) => isWanted(change, wanted) && ++matches === count);
}

function lastEventId(request: IncomingMessage): HistoryPosition | undefined {
  const id = request.headers['last-event-id'];
  return id === undefined || id === '' ? undefined : parseHistoryPosition(String(id), 'Last-Event-ID');
}
