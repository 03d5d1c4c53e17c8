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
} from './components.ts';

const writeParameters = [
  queryParameter(
    'mode',
    { type: 'string', enum: ['merge', 'replace'], default: 'merge' },
    'replace also removes every resource missing from the body.',
  ),
  queryParameter(
    'dry_run',
    { type: 'boolean', default: false },
    'Report what would change, without writing.',
  ),
  queryParameter(
    'allow_removal',
    { oneOf: [{ type: 'string', enum: ['all'] }, count] },
    `Maximum number of resources a replace may remove. Default: half of a station of more than ${limits.guardedStationSize}, all but one of a smaller one.`,
  ),
  queryParameter(
    'max_changes',
    { ...count, maximum: limits.maxPlannedChanges, default: limits.defaultPlannedChanges },
    'How many changes a dry run lists.',
  ),
];

const writeBody = {
  required: true,
  content: {
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One record per line.' },
      example:
        '{"resource_type":"resource_type.compute.vm","resource_id":"res-1","name":"vm-1"}\n' +
        '{"resource_type":"resource_type.compute.vm","resource_id":"res-2","name":"vm-2","state":"ALERTSTATE_FIRING"}',
    },
    'application/json': {
      schema: { oneOf: [{ type: 'array', items: reference('Record') }, reference('ListResponse')] },
      example: [{ resource_type: 'resource_type.compute.vm', resource_id: 'res-1', name: 'vm-1' }],
    },
    'text/csv': {
      schema: { type: 'string', description: 'RFC 4180 with a header row of field names.' },
      example: 'resource_type,resource_id,name\r\nresource_type.compute.vm,res-1,vm-1\r\n',
    },
    'application/yaml': {
      schema: { type: 'string', description: 'A list of records, or `resources:` with one.' },
      example: '- resource_type: resource_type.compute.vm\n  resource_id: res-1\n  name: vm-1\n',
    },
  },
};

const planParameters = writeParameters.filter(({ name }) => name === 'dry_run' || name === 'max_changes');

const patchBody = {
  required: true,
  content: {
    'application/x-ndjson': {
      schema: { type: 'string', description: 'One patch per line.' },
      example:
        '{"resource_id":"res-1","state":"ALERTSTATE_FIRING"}\n' +
        '{"resource_id":"res-2","state":"ALERTSTATE_PENDING","alert_rules_count":3}',
    },
    'application/json': {
      schema: { type: 'array', items: reference('RecordPatch') },
      example: [{ resource_id: 'res-1', state: 'ALERTSTATE_FIRING' }],
    },
  },
};

/** Operations that change one station. */
export const writeOperations = {
  createStation: {
    tags: ['Stations and resources'],
    summary: 'Create a station',
    description:
      'Does nothing if the station exists. A new one is empty, and begins a new history even if its address was used before.',
    parameters: stationParameters,
    responses: {
      200: { description: 'It already existed.', headers: revisionOnly, content: json('Station') },
      201: { description: 'Created.', headers: revisionOnly, content: json('Station') },
      400: problem('The address is not valid.'),
      507: diskFull,
    },
  },
  deleteStation: {
    tags: ['Stations and resources'],
    summary: 'Delete a station and its resources',
    description: 'At once and for good: its history goes too, and open streams of it end.',
    parameters: [...stationParameters, ifMatchHeader],
    responses: { 204: { description: 'Deleted.' }, 404: noStation, 412: mismatch },
  },
  writeResources: {
    tags: ['Stations and resources'],
    summary: 'Create, update or replace resources, all or none',
    description:
      'Absent fields keep their stored value, or get their default in a new resource. A body with an invalid ' +
      'record is refused as a whole, with every error listed. Bodies may be compressed with gzip, ' +
      'deflate, br or zstd (Content-Encoding).',
    parameters: [...stationParameters, ...writeParameters, ifMatchHeader],
    requestBody: writeBody,
    responses: {
      200: {
        description: 'Written and visible to every later read; with dry_run, the plan.',
        headers: revisionOnly,
        content: {
          'application/json': { schema: { oneOf: [reference('WriteResult'), reference('Plan')] } },
        },
      },
      400: problem('A parameter is invalid, or the body does not match its content type.'),
      404: noStation,
      409: problem('A replace would remove too many resources; nothing was written.'),
      412: mismatch,
      413: problem('The body is too large.'),
      415: problem('The content type or encoding is not supported.'),
      422: problem('Some records are invalid; nothing was written.'),
      507: diskFull,
    },
  },
  patchResources: {
    tags: ['Stations and resources'],
    summary: 'Change fields of resources, such as their states, all or none',
    description:
      'A patch needs the id of a resource and the fields to change. It creates nothing: the id of a resource that the ' +
      'station does not have is an error of its line.',
    parameters: [...stationParameters, ...planParameters, ifMatchHeader],
    requestBody: patchBody,
    responses: {
      200: {
        description: 'Written and visible to every later read; with dry_run, the plan.',
        headers: revisionOnly,
        content: {
          'application/json': { schema: { oneOf: [reference('WriteResult'), reference('Plan')] } },
        },
      },
      400: problem('A parameter is invalid, or the body does not match its content type.'),
      404: noStation,
      412: mismatch,
      413: problem('The body is too large.'),
      415: problem('The content type or encoding is not supported.'),
      422: problem('Some patches are invalid; nothing was written.'),
      507: diskFull,
    },
  },
  removeResource: {
    tags: ['Stations and resources'],
    summary: 'Remove a resource',
    description: 'Makes a revision, which streams and histories show.',
    parameters: [...stationParameters, pathParameter('resource_id', 'The resource.', 'res-1'), ifMatchHeader],
    responses: {
      200: { description: 'Removed.', headers: revisionOnly, content: json('WriteResult') },
      404: problem('No such station or resource.'),
      412: mismatch,
    },
  },
};
