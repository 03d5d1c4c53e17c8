import type { IncomingMessage } from 'node:http';
import {
  formatHistoryPosition,
  type HistoryPosition,
  parseChangesQuery,
  parseHistoryPosition,
  parseStreamQuery,
} from '@roster/contract';
import type { Change, Engine, HistoryPage, Store } from '@roster/engine';
import { clientLeft, type Handlers, jsonType } from '../../http/answer.ts';
import type { HeavyReads } from '../../pipeline/shedding/heavy-reads.ts';
import { negotiateLabels } from '../snapshot/negotiate-labels.ts';
import type { ChangeStreams } from './change-streams.ts';
import { readHistoryParts } from './history-parts.ts';
import { viewPastChange } from './view-past-change.ts';

export interface ChangeOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly streams: ChangeStreams;
  readonly heavyReads: HeavyReads;
}

/** What happened to the resources of a station, in pages and as it happens. */
export function changeOperations(options: ChangeOptions): Pick<Handlers, 'listChanges' | 'streamChanges'> {
  const { store, engine, streams, heavyReads } = options;
  return {
    async listChanges(exchange) {
      const query = parseChangesQuery(exchange.search);
      const read = heavyReads.begin(exchange);
      const address = exchange.address!;
      const { labelOf, headers } = await negotiateLabels(exchange.request, engine);
      const changes: string[] = [];
      let end: HistoryPage | undefined;
      for await (const part of readHistoryParts({ store, address, query }, read)) {
        const view = (change: Change) => viewPastChange(change, part.next.epoch, labelOf);
        if (part.changes.length > 0) changes.push(JSON.stringify(part.changes.map(view)).slice(1, -1));
        end = part;
      }
      const { next, hasMore } = end!;
      return {
        headers: { ...headers, 'Content-Type': jsonType },
        body: `{"changes":[${changes}],"next":"${formatHistoryPosition(next)}","has_more":${hasMore}}`,
      };
    },

    async streamChanges(exchange) {
      const { since, resourceId } = parseStreamQuery(exchange.search);
      const { request } = exchange;
      const stream = {
        address: exchange.address!,
        since: lastEventId(request) ?? since,
        resourceId,
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

function lastEventId(request: IncomingMessage): HistoryPosition | undefined {
  const id = request.headers['last-event-id'];
  return id === undefined || id === '' ? undefined : parseHistoryPosition(String(id), 'Last-Event-ID');
}
