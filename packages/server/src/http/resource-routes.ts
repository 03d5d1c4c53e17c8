import { formatRevision, parseIfMatch, revisionHeader, viewRecord } from '@roster/contract';
import type { Engine, Store, WriteResult } from '@roster/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { negotiateLabels } from './negotiate-labels.ts';
import { addressOf, route } from './route.ts';

/** What concerns single resources of a station. */
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
}

export function sendWriteResult(reply: FastifyReply, result: WriteResult): FastifyReply {
  const { created, updated, unchanged, removed, newTypes } = result;
  const revision = formatRevision(result.head);
  return reply
    .header(revisionHeader, revision)
    .send({ revision, created, updated, unchanged, removed, new_types: newTypes });
}

function resourceIdOf(request: FastifyRequest): string {
  return (request.params as { resource_id: string }).resource_id;
}
