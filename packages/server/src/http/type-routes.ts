import { isDeepStrictEqual } from 'node:util';
import { parseResourceType, quote, type ResourceType, RosterError } from '@roster/contract';
import type { Engine, Store } from '@roster/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { negotiateLabels } from './negotiate-labels.ts';
import { readJson } from './read-json.ts';
import { route } from './route.ts';

export function registerTypeRoutes(app: FastifyInstance, store: Store, engine: Engine): void {
  route(app, 'listTypes', async (request, reply) => {
    const { types } = await store.catalog();
    const { labelOf, headers } = await negotiateLabels(request, engine);
    const sorted = [...types.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    const views = sorted.map((type) => viewType(type, labelOf(type.key)));
    return reply.headers(headers).send({ resource_types: views });
  });

  route(app, 'getType', async (request, reply) => {
    const key = keyOf(request);
    const type = (await store.catalog()).types.get(key);
    if (type === undefined) throw typeNotFound(key);
    const { labelOf, headers } = await negotiateLabels(request, engine);
    return reply.headers(headers).send(viewType(type, labelOf(key)));
  });

  route(app, 'putType', async (request, reply) => {
    const key = keyOf(request);
    const type = parseResourceType(key, await readJson(request));
    const known = (await store.catalog()).types.get(key);
    // A change to a type changes the ETag of every list.
    if (!isDeepStrictEqual(known, type)) await store.putTypes([type]);
    const { labelOf, headers } = await negotiateLabels(request, engine);
    return reply
      .code(known === undefined ? 201 : 200)
      .headers(headers)
      .send(viewType(type, labelOf(key)));
  });

  route(app, 'deleteType', async (request, reply) => {
    const key = keyOf(request);
    if (!(await store.deleteType(key))) throw typeNotFound(key);
    return reply.code(204).send();
  });
}

function keyOf(request: FastifyRequest): string {
  return (request.params as { type_key: string }).type_key;
}

function viewType({ key, labels, product, alertable }: ResourceType, label: string): object {
  return { key, label, labels, product, alertable };
}

function typeNotFound(key: string): RosterError {
  return new RosterError('type_not_found', `there is no resource type ${quote(key)}`);
}
