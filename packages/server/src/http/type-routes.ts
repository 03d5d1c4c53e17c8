import { isDeepStrictEqual } from 'node:util';
import {
  parseResourceType,
  parseTypeCondition,
  quote,
  type ResourceType,
  RosterError,
} from '@roster/contract';
import { type Engine, requireTypeCondition, type Store, typeVersion } from '@roster/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { negotiateLabels } from './negotiate-labels.ts';
import { readJson } from './read-json.ts';
import { matchesEtag } from './rendition.ts';
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
    const { labelOf, locale, headers } = await negotiateLabels(request, engine);
    const etag = etagOf(type, locale);
    reply.headers({ ...headers, ETag: etag });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return reply.code(304).send();
    return reply.send(viewType(type, labelOf(key)));
  });

  route(app, 'putType', async (request, reply) => {
    const key = keyOf(request);
    const condition = parseTypeCondition(request.headers);
    const type = parseResourceType(key, await readJson(request));
    const known = (await store.catalog()).types.get(key);
    requireTypeCondition(key, known, condition);
    // A change to a type changes the ETag of every list.
    if (!isDeepStrictEqual(known, type)) await store.putTypes([type], condition);
    const { labelOf, locale, headers } = await negotiateLabels(request, engine);
    return reply
      .code(known === undefined ? 201 : 200)
      .headers({ ...headers, ETag: etagOf(type, locale) })
      .send(viewType(type, labelOf(key)));
  });

  route(app, 'deleteType', async (request, reply) => {
    const key = keyOf(request);
    const condition = parseTypeCondition(request.headers);
    if (!(await store.deleteType(key, condition))) throw typeNotFound(key);
    return reply.code(204).send();
  });
}

function keyOf(request: FastifyRequest): string {
  return (request.params as { type_key: string }).type_key;
}

function viewType(type: ResourceType, label: string): object {
  const { key, labels, product, alertable } = type;
  return { key, label, labels, product, alertable, version: typeVersion(type) };
}

/** The label of the answer is in one language. */
function etagOf(type: ResourceType, locale: string): string {
  return `"${typeVersion(type)}-${locale}"`;
}

function typeNotFound(key: string): RosterError {
  return new RosterError('type_not_found', `there is no resource type ${quote(key)}`);
}
