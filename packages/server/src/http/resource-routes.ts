import {
  formatHistoryPosition,
  formatRevision,
  parseChangesQuery,
  parseIfMatch,
  revisionHeader,
  viewChange,
  viewRecord,
} from '@roster/contract';
import type { Change, Engine, Store, WriteResult } from '@roster/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type NegotiatedLabels, negotiateLabels } from './negotiate-labels.ts';
import { addressOf, route, searchOf } from './route.ts';

/** What concerns single resources of a station: reading one, removing one, and what happened to them. */
export function registerResourceRoutes(app: FastifyInstance, store: Store, engine: Engine): void {
  route(app, 'getResource', async (request, reply) => {
    const stored = await store.resource(addressOf(request), resourceIdOf(request));
    const { labelOf, headers } = await negotiateLabels(request, engine);
    return reply.headers(headers).send({
      ...viewRecord(stored.resource, labelOf(stored.resource.typeKey)),
      revision: formatRevision(stored.revision),
      changed_at: new Date(stored.changedAtMs).toISOString(),
    });
  });

  route(app, 'removeResource', async (request, reply) => {
    const ifRevision = parseIfMatch(request.headers['if-match']);
    const result = await store.removeResource(addressOf(request), resourceIdOf(request), { ifRevision });
    return sendWriteResult(reply, result);
  });

  route(app, 'listChanges', async (request, reply) => {
    const query = parseChangesQuery(searchOf(request));
    const { changes, next, hasMore } = await store.history(addressOf(request), query);
    const { labelOf, headers } = await negotiateLabels(request, engine);
    const view = (change: Change) => viewPastChange(change, next.epoch, labelOf);
    return reply
      .headers(headers)
      .send({ changes: changes.map(view), next: formatHistoryPosition(next), has_more: hasMore });
  });
}

export function sendWriteResult(reply: FastifyReply, result: WriteResult): FastifyReply {
  const { created, updated, unchanged, removed, newTypes } = result;
  const revision = formatRevision(result.head);
  return reply
    .header(revisionHeader, revision)
    .send({ revision, created, updated, unchanged, removed, new_types: newTypes });
}

function viewPastChange(
  { revision, changedAtMs, before, after }: Change,
  epoch: string,
  labelOf: NegotiatedLabels['labelOf'],
) {
  return {
    revision: formatRevision({ epoch, number: revision }),
    changed_at: new Date(changedAtMs).toISOString(),
    ...viewChange(before, after, labelOf),
  };
}

function resourceIdOf(request: FastifyRequest): string {
  return (request.params as { resource_id: string }).resource_id;
}
