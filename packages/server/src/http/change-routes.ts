import {
  formatHistoryPosition,
  type HistoryPosition,
  parseChangesQuery,
  parseHistoryPosition,
  parseStreamQuery,
} from '@roster/contract';
import type { Change, Engine, Store } from '@roster/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChangeStreams } from '../watch/change-streams.ts';
import { viewPastChange } from '../watch/view-past-change.ts';
import { readVisibleHistory } from '../watch/visible-history.ts';
import { negotiateLabels } from './negotiate-labels.ts';
import { addressOf, principalOf, route, searchOf } from './route.ts';

export interface ChangeRouteOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly streams: ChangeStreams;
}

/** What happened to the resources of a station, in pages and as it happens. */
export function registerChangeRoutes(app: FastifyInstance, options: ChangeRouteOptions): void {
  const { store, engine, streams } = options;

  route(app, 'listChanges', async (request, reply) => {
    const query = parseChangesQuery(searchOf(request));
    const { changes, next, hasMore } = await readVisibleHistory(store, addressOf(request), query);
    const { labelOf, headers } = await negotiateLabels(request, engine);
    const view = (change: Change) => viewPastChange(change, next.epoch, labelOf);
    return reply
      .headers(headers)
      .send({ changes: changes.map(view), next: formatHistoryPosition(next), has_more: hasMore });
  });

  route(app, 'streamChanges', async (request, reply) => {
    const { since, resourceId } = parseStreamQuery(searchOf(request));
    const principal = principalOf(request);
    const stream = {
      address: addressOf(request),
      since: lastEventId(request) ?? since,
      resourceId,
      acceptLanguage: request.headers['accept-language'],
    };
    await streams.serve(stream, (end) => {
      reply.hijack();
      app.exchanges.watch(reply.raw, principal, end);
      return reply.raw;
    });
    return reply;
  });
}

function lastEventId(request: FastifyRequest): HistoryPosition | undefined {
  const id = request.headers['last-event-id'];
  return id === undefined || id === '' ? undefined : parseHistoryPosition(String(id), 'Last-Event-ID');
}
