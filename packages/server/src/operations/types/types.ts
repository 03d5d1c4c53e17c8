import { isDeepStrictEqual } from 'node:util';
import {
  dataDamaged,
  parseResourceType,
  parseVersionCondition,
  quote,
  type ResourceType,
  RosterError,
} from '@roster/contract';
import { requireTypeCondition, typeVersion } from '@roster/engine';
import { type Handlers, jsonType } from '../../http/answer.ts';
import { matchesEtag } from '../../http/headers.ts';
import { readJson } from '../../http/read-json.ts';
import type { OperationOptions } from '../operation-options.ts';
import { revalidated } from '../snapshot/localised-snapshot.ts';
import { renderInSlices } from '../snapshot/render-in-slices.ts';
import { labelsForRequest } from '../snapshot/request-labels.ts';

type TypeOperation = 'listTypes' | 'getType' | 'putType' | 'deleteType';

export function typeOperations({
  store,
  engine,
  heavyReads,
}: OperationOptions): Pick<Handlers, TypeOperation> {
  return {
    async listTypes(exchange) {
      const { slicer } = heavyReads.begin(exchange);
      const { types, isDamaged } = await store.catalog();
      if (isDamaged) throw dataDamaged('the catalog of resource types');
      const { labelOf, headers } = await labelsForRequest(exchange.request, engine);
      await slicer.pause();
      const sorted = [...types.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      const views = await renderInSlices(sorted, (type) => viewType(type, labelOf(type.key)), slicer);
      return { headers: { ...headers, 'Content-Type': jsonType }, body: `{"resource_types":${views}}` };
    },

    async getType({ params, request }) {
      const key = params.type_key!;
      const { types, isDamaged } = await store.catalog();
      const type = types.get(key);
      if (type === undefined)
        throw isDamaged ? dataDamaged(`the resource type ${quote(key)}`) : typeNotFound(key);
      const { labelOf, locale, headers } = await labelsForRequest(request, engine);
      const etag = etagOf(type, locale);
      const cached = { ...headers, ETag: etag, 'Cache-Control': revalidated };
      if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304, headers: cached };
      return { headers: cached, body: viewType(type, labelOf(key)) };
    },

    async putType(exchange) {
      const { params, request } = exchange;
      const key = params.type_key!;
      const condition = parseVersionCondition(request.headers, 'type');
      const type = parseResourceType(key, await readJson(exchange));
      const known = (await store.catalog()).types.get(key);
      requireTypeCondition(key, known, condition);
      // A change to a type changes the ETag of every list.
      if (!isDeepStrictEqual(known, type)) await store.putTypes([type], condition);
      const { labelOf, locale, headers } = await labelsForRequest(request, engine);
      return {
        status: known === undefined ? 201 : 200,
        headers: { ...headers, ETag: etagOf(type, locale) },
        body: viewType(type, labelOf(key)),
      };
    },

    async deleteType({ params, request }) {
      const key = params.type_key!;
      const condition = parseVersionCondition(request.headers, 'type');
      if (!(await store.deleteType(key, condition))) throw typeNotFound(key);
      return { status: 204 };
    },
  };
}

function viewType(type: ResourceType, label: string): object {
  const { key, labels, product, alertable } = type;
  return { key, label, labels, product, alertable, version: typeVersion(type) };
}

/** The answer has a label in one language. */
function etagOf(type: ResourceType, locale: string): string {
  return `"${typeVersion(type)}-${locale}"`;
}

function typeNotFound(key: string): RosterError {
  return new RosterError('type_not_found', `there is no resource type ${quote(key)}`);
}
