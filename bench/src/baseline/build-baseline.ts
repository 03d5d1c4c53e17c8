import type { DatabaseSync } from 'node:sqlite';
import { type ListQuery, limits } from '@roster/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import { listSchema } from './list-schema.ts';
import { ResourceLister, type ResourceRow } from './resource-lister.ts';

interface ListRoute {
  Params: Record<'subscription' | 'resourceGroup' | 'zone' | 'name', string>;
  Querystring: {
    resource_ids?: string;
    resource_type?: string;
    resource_types?: string;
    product?: string;
    resource_display_name_prefix?: string;
    enabled_alert?: boolean;
    'page.offset'?: number;
    'page.size'?: number;
    'page.total'?: number;
  };
}

const listPath =
  '/monitor/ts/data/v1/subscriptions/:subscription/resourceGroups/:resourceGroup/zones/:zone' +
  '/telemetryStations/:name/resources';

/** The list operation as a good team would write it in a day: Fastify, SQLite, sensible indexes. */
export function buildBaseline(database: DatabaseSync): FastifyInstance {
  const app = Fastify({ logger: false });
  const lister = new ResourceLister(database);
  const labels = lister.typeLabels();
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get<ListRoute>(listPath, { schema: listSchema }, async (request, reply) => {
    const stationId = lister.findStation(request.params);
    if (stationId === undefined) return reply.code(404).send({ code: 'station_not_found' });
    const query = readQuery(request.query);
    const total = lister.count(stationId, query);
    const resources = lister.list(stationId, query).map((row) => toResource(row, labels));
    return { resources, page: query.page && { ...query.page, total } };
  });
  return app;
}

function readQuery(given: ListRoute['Querystring']): ListQuery {
  const types = splitItems(given.resource_types);
  const paged = 'page.offset' in given || 'page.size' in given || 'page.total' in given;
  return {
    resourceIds: splitItems(given.resource_ids),
    types: given.resource_type
      ? [given.resource_type].filter((type) => types?.includes(type) ?? true)
      : types,
    product: given.product || undefined,
    displayNamePrefix: given.resource_display_name_prefix || undefined,
    alertableOnly: given.enabled_alert ?? false,
    page: paged
      ? { offset: given['page.offset'] ?? 0, size: given['page.size'] ?? limits.defaultPageSize }
      : null,
  };
}

function splitItems(list: string | undefined): string[] | undefined {
  const items = list
    ?.split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items?.length ? [...new Set(items)] : undefined;
}

function toResource({ type_key: key, ...row }: ResourceRow, labels: ReadonlyMap<string, string>) {
  return { resource_type: { key, label: labels.get(key) ?? key }, ...row };
}
