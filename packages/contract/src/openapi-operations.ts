import { limits } from './limits.ts';
import type { OperationId } from './operations.ts';
import { revisionHeader } from './revision.ts';

type Json = Record<string, unknown>;

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string): Json => ({ 'application/json': { schema: reference(name) } });
const problem = (description: string): Json => ({
  description,
  content: { 'application/problem+json': { schema: reference('Problem') } },
});

const stationParameters = [
  pathParameter('subscription_name', 'Subscription.', 'demo'),
  pathParameter('resource_group_name', 'Resource group.', 'sample'),
  pathParameter('zone', 'Availability zone.', 'zone-1'),
  pathParameter('telemetry_station_name', 'The station itself.', 'station-1'),
];

const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

const listParameters = [
  queryParameter(
    'resource_ids',
    text,
    `Only these ids: comma-separated, repeatable, at most ${limits.maxListItems}.`,
  ),
  queryParameter('resource_type', text, 'Only this type key.'),
  queryParameter('resource_types', text, 'Only these type keys: comma-separated, repeatable.'),
  queryParameter('product', text, 'Only this product, such as `product.gpu`.'),
  queryParameter(
    'resource_display_name_prefix',
    text,
    'Only display names that begin with exactly this text.',
  ),
  queryParameter('enabled_alert', { type: 'boolean' }, 'With true, only resources that can have alerts.'),
  queryParameter('page.offset', { ...count, default: 0 }, 'How many matches to skip.'),
  queryParameter(
    'page.size',
    { ...count, maximum: limits.maxPageSize, default: limits.defaultPageSize },
    'How many to return at most. 0 returns the total alone.',
    5,
  ),
  queryParameter('page.total', count, 'Accepted so that a page object can be sent back; changes nothing.'),
];

const revisionRequestHeader = {
  name: revisionHeader,
  in: 'header',
  schema: text,
  description:
    'Read the snapshot that an earlier response named here, so that paging neither skips nor repeats.',
};

const listHeaders = {
  ETag: { schema: text, description: 'Send it back as If-None-Match to hear 304 while nothing changes.' },
  [revisionHeader]: { schema: text, description: 'The snapshot that was read, as `<epoch>.<number>`.' },
  'Content-Language': { schema: text, description: 'The language of the type labels.' },
};

const revisionOnly = { [revisionHeader]: listHeaders[revisionHeader] };

const descriptions: Record<OperationId, Json> = {
  listResources: {
    tags: ['List'],
    summary: 'List the resources of a station',
    description:
      'Filters combine with AND, the items of a list with OR. Resources come ordered by display name, then id. ' +
      'Without any page parameter the whole list comes in one answer and `page` is null.',
    parameters: [
      ...stationParameters,
      ...listParameters,
      revisionRequestHeader,
      { name: 'Accept-Language', in: 'header', schema: text, description: 'Language of the type labels.' },
      { name: 'If-None-Match', in: 'header', schema: text, description: 'ETag of an earlier answer.' },
    ],
    responses: {
      200: { description: 'The resources.', headers: listHeaders, content: json('ListResponse') },
      304: { description: 'Nothing changed since the given ETag.', headers: listHeaders },
      400: problem('A parameter is wrong, unknown, or paging is required.'),
      404: problem('There is no such station.'),
      410: problem('The revision asked for is no longer available.'),
      414: problem('The URL is too long.'),
      431: problem('The headers are too large.'),
      503: problem('The store does not answer; try again after Retry-After.'),
    },
  },
  createStation: {
    tags: ['Stations and resources'],
    summary: 'Create a station',
    parameters: stationParameters,
    responses: {
      200: { description: 'It was there already.', headers: revisionOnly, content: json('Station') },
      201: { description: 'Created.', headers: revisionOnly, content: json('Station') },
      400: problem('The address cannot be used.'),
      507: problem('The disk is full.'),
    },
  },
  deleteStation: {
    tags: ['Stations and resources'],
    summary: 'Delete a station and its resources',
    parameters: stationParameters,
    responses: { 204: { description: 'Deleted.' }, 404: problem('There is no such station.') },
  },
  writeResources: {
    tags: ['Stations and resources'],
    summary: 'Create or update resources, all or none',
    description:
      'Fields that are left out keep their stored value, or take their default on a new resource. A body with ' +
      'a bad record is refused as a whole, with every bad line listed.',
    parameters: stationParameters,
    requestBody: {
      required: true,
      content: {
        'application/x-ndjson': {
          schema: { type: 'string', description: 'One record a line.' },
          example:
            '{"resource_type":"resource_type.compute.vm","resource_id":"res-1","name":"vm-1"}\n' +
            '{"resource_type":"resource_type.compute.vm","resource_id":"res-2","name":"vm-2","state":"ALERTSTATE_FIRING"}',
        },
        'application/json': {
          schema: { type: 'array', items: reference('Record') },
          example: [{ resource_type: 'resource_type.compute.vm', resource_id: 'res-1', name: 'vm-1' }],
        },
      },
    },
    responses: {
      200: {
        description: 'Written, and visible to every read from now on.',
        headers: revisionOnly,
        content: json('WriteResult'),
      },
      400: problem('The body is not what its content type says.'),
      404: problem('There is no such station.'),
      413: problem('The body is too large.'),
      415: problem('The content type is not supported.'),
      422: problem('One or more records are wrong; nothing was written.'),
      507: problem('The disk is full; nothing was written.'),
    },
  },
  removeResource: {
    tags: ['Stations and resources'],
    summary: 'Remove a resource',
    parameters: [...stationParameters, pathParameter('resource_id', 'The resource.', 'res-1')],
    responses: {
      200: { description: 'Removed.', headers: revisionOnly, content: json('WriteResult') },
      404: problem('There is no such station or resource.'),
    },
  },
  health: {
    tags: ['Server'],
    summary: 'Whether the process is alive',
    responses: { 200: { description: 'Alive.', content: json('Health') } },
  },
  readiness: {
    tags: ['Server'],
    summary: 'Whether the server takes requests',
    responses: {
      200: { description: 'Ready.', content: json('Health') },
      503: problem('Starting or shutting down.'),
    },
  },
  openapi: {
    tags: ['Server'],
    summary: 'This document',
    responses: {
      200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
    },
  },
};

export function describeOperation(id: OperationId): Json {
  const { responses, ...rest } = descriptions[id];
  return { ...rest, responses: { ...(responses as Json), default: problem('Any other error.') } };
}

function pathParameter(name: string, description: string, example: string): Json {
  return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 }, description, example };
}

function queryParameter(name: string, schema: Json, description: string, example?: unknown): Json {
  const parameter = { name, in: 'query', required: false, schema, description };
  return example === undefined ? parameter : { ...parameter, example };
}
