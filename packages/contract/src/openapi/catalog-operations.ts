import {
  diskFull,
  header,
  json,
  noStation,
  pathParameter,
  problem,
  queryParameter,
  revisionOnly,
  stationParameters,
  text,
} from './components.ts';
import { pageParameters } from './list-parameters.ts';

const typeKey = pathParameter('type_key', 'The type.', 'resource_type.compute.gpu_node');
const language = header('Accept-Language', 'Language of the member `label`.');
const ifMatch = header(
  'If-Match',
  'Write only if the type has this version, such as `"9f86d081884c7d65"`, or this ETag.',
);
const ifNoneMatch = header('If-None-Match', '`*`: write only if there is no such type.');
const mismatch = problem('The type does not match If-Match or If-None-Match; nothing was written.');
const etag = { ETag: { schema: text, description: 'Send it as If-Match, or as If-None-Match to get 304.' } };
const noType = problem('No such type.');

/** Stations and resource types. */
export const catalogOperations = {
  listStations: {
    tags: ['Stations and resources'],
    summary: 'List the stations',
    description: 'Ordered by address, with resource counts. Filters combine with AND.',
    parameters: [
      queryParameter('subscription_name', text, 'Only this subscription.'),
      queryParameter('resource_group_name', text, 'Only this resource group.'),
      queryParameter('zone', text, 'Only this zone.'),
      queryParameter('telemetry_station_name', text, 'Only stations of this name.'),
      queryParameter(
        'telemetry_station_name_prefix',
        text,
        'Only stations whose name starts with exactly this text.',
      ),
      ...pageParameters,
    ],
    responses: {
      200: { description: 'The stations.', content: json('StationPage') },
      400: problem('A parameter is invalid or unknown.'),
    },
  },
  getStation: {
    tags: ['Stations and resources'],
    summary: 'Read one station',
    description: 'The address, the current revision and the counts of a station.',
    parameters: stationParameters,
    responses: {
      200: { description: 'The station.', headers: revisionOnly, content: json('Station') },
      404: noStation,
    },
  },
  listTypes: {
    tags: ['Resource types'],
    summary: 'List the resource types',
    description: 'Every type of every station, by key, with its labels and the defaults of new resources.',
    parameters: [language],
    responses: { 200: { description: 'All types, by key.', content: json('ResourceTypes') } },
  },
  getType: {
    tags: ['Resource types'],
    summary: 'Read one resource type',
    description: 'With its version, which a conditional write takes as If-Match.',
    parameters: [typeKey, language, header('If-None-Match', 'ETag of an earlier response.')],
    responses: {
      200: { description: 'The type.', headers: etag, content: json('ResourceType') },
      304: { description: 'Unchanged since the given ETag.', headers: etag },
      404: noType,
    },
  },
  putType: {
    tags: ['Resource types'],
    summary: 'Create or replace a resource type',
    description:
      'Labels appear in every list at once. Product and alertable apply to resources created from then on that ' +
      'do not set their own.',
    parameters: [typeKey, language, ifMatch, ifNoneMatch],
    requestBody: { required: true, content: json('PutType') },
    responses: {
      200: { description: 'Replaced.', headers: etag, content: json('ResourceType') },
      201: { description: 'Created.', headers: etag, content: json('ResourceType') },
      400: problem('The key, the body or a condition is invalid.'),
      412: mismatch,
      413: problem('The body is too large.'),
      415: problem('The content type is not application/json.'),
      507: diskFull,
    },
  },
  deleteType: {
    tags: ['Resource types'],
    summary: 'Delete a resource type',
    description: 'Only while no resource of any station has it.',
    parameters: [typeKey, ifMatch],
    responses: {
      204: { description: 'Deleted.' },
      404: noType,
      409: problem('Resources use this type.'),
      412: mismatch,
    },
  },
};
