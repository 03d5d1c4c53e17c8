import { limits } from '../limits.ts';
import {
  count,
  diskFull,
  ifMatchHeader,
  json,
  mismatch,
  noStation,
  pathParameter,
  problem,
  queryParameter,
  reference,
  revisionOnly,
  stationParameters,
} from './parts.ts';

const writeParameters = [
  queryParameter(
    'mode',
    { type: 'string', enum: ['merge', 'replace'], default: 'merge' },
    'replace also removes every resource that the body does not name.',
  ),
  queryParameter('dry_run', { type: 'boolean', default: false }, 'Tell what would happen, and do nothing.'),
  queryParameter(
    'allow_removal',
    { oneOf: [{ type: 'string', enum: ['all'] }, count] },
    `How many resources a replace may remove. Without it, half of a station of more than ${limits.guardedStationSize}, and all but one of a smaller one.`,
  ),
  queryParameter(
    'max_changes',
    { ...count, maximum: limits.maxPlannedChanges, default: limits.defaultPlannedChanges },
    'How many changes a dry run shows in detail.',
  ),
];

const writeBody = {
  required: true,
  content: {
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One record a line.' },
      example:
        '{"resource_type":"resource_type.compute.vm","resource_id":"res-1","name":"vm-1"}\n' +
        '{"resource_type":"resource_type.compute.vm","resource_id":"res-2","name":"vm-2","state":"ALERTSTATE_FIRING"}',
    },
    'application/json': {
      schema: { oneOf: [{ type: 'array', items: reference('Record') }, reference('ListResponse')] },
      example: [{ resource_type: 'resource_type.compute.vm', resource_id: 'res-1', name: 'vm-1' }],
    },
    'text/csv': {
      schema: { type: 'string', description: 'RFC 4180 with a header of field names.' },
      example: 'resource_type,resource_id,name\r\nresource_type.compute.vm,res-1,vm-1\r\n',
    },
    'application/yaml': {
      schema: { type: 'string', description: 'A list of records, or `resources:` with one.' },
      example: '- resource_type: resource_type.compute.vm\n  resource_id: res-1\n  name: vm-1\n',
    },
  },
};

/** What changes one station. */
export const writeOperations = {
  createStation: {
    tags: ['Stations and resources'],
    summary: 'Create a station',
    parameters: stationParameters,
    responses: {
      200: { description: 'It was there already.', headers: revisionOnly, content: json('Station') },
      201: { description: 'Created.', headers: revisionOnly, content: json('Station') },
      400: problem('The address cannot be used.'),
      507: diskFull,
    },
  },
  deleteStation: {
    tags: ['Stations and resources'],
    summary: 'Delete a station and its resources',
    parameters: [...stationParameters, ifMatchHeader],
    responses: { 204: { description: 'Deleted.' }, 404: noStation, 412: mismatch },
  },
  writeResources: {
    tags: ['Stations and resources'],
    summary: 'Create, update or replace resources, all or none',
    description:
      'Fields that are left out keep their stored value, or take their default on a new resource. A body with ' +
      'a bad record is refused as a whole, with every bad line listed. Bodies may be compressed with gzip, ' +
      'deflate, br or zstd (Content-Encoding).',
    parameters: [...stationParameters, ...writeParameters, ifMatchHeader],
    requestBody: writeBody,
    responses: {
      200: {
        description: 'Written, and visible to every read from now on; or, with dry_run, the plan.',
        headers: revisionOnly,
        content: {
          'application/json': { schema: { oneOf: [reference('WriteResult'), reference('Plan')] } },
        },
      },
      400: problem('A parameter is wrong, or the body is not what its content type says.'),
      404: noStation,
      409: problem('A replace would remove more than it may; nothing was written.'),
      412: mismatch,
      413: problem('The body is too large.'),
      415: problem('The content type or encoding is not supported.'),
      422: problem('One or more records are wrong; nothing was written.'),
      507: diskFull,
    },
  },
  removeResource: {
    tags: ['Stations and resources'],
    summary: 'Remove a resource',
    parameters: [...stationParameters, pathParameter('resource_id', 'The resource.', 'res-1'), ifMatchHeader],
    responses: {
      200: { description: 'Removed.', headers: revisionOnly, content: json('WriteResult') },
      404: problem('There is no such station or resource.'),
      412: mismatch,
    },
  },
};
