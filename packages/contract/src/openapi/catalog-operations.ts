import { pageParameters } from './list-parameters.ts';
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
} from './parts.ts';

const typeKey = pathParameter('type_key', 'The type.', 'resource_type.compute.gpu_node');
const language = header('Accept-Language', 'Language of the member `label`.');
const ifMatch = header(
  'If-Match',
  'Write only while the type has this version, such as `"9f86d081884c7d65"`, or this ETag.',
);
const ifNoneMatch = header('If-None-Match', '`*`: write only if there is no such type.');
const mismatch = problem('The type is not what If-Match or If-None-Match names; nothing was written.');
const etag = { ETag: { schema: text, description: 'For If-Match, and for If-None-Match to hear 304.' } };
const noType = problem('There is no such type.');

/** What there is: stations and resource types. */
export const catalogOperations = {
  listStations: {
    tags: ['Stations and resources'],
    summary: 'List the stations',
    description: 'In order of their addresses, with how many resources each has. Filters combine with AND.',
    parameters: [
      queryParameter('subscription_name', text, 'Only this subscription.'),
      queryParameter('resource_group_name', text, 'Only this resource group.'),
      queryParameter('zone', text, 'Only this zone.'),
      queryParameter('telemetry_station_name', text, 'Only stations of this name.'),
      queryParameter(
        'telemetry_station_name_prefix',
        text,
        'Only stations whose name begins with exactly this text.',
      ),
      ...pageParameters,
    ],
    responses: {
      200: { description: 'The stations.', content: json('StationPage') },
      400: problem('A parameter is wrong or unknown.'),
    },
  },
  getStation: {
    tags: ['Stations and resources'],
    summary: 'Read one station',
    parameters: stationParameters,
    responses: {
      200: { description: 'The station.', headers: revisionOnly, content: json('Station') },
      404: noStation,
    },
  },
  listTypes: {
    tags: ['Resource types'],
    summary: 'List the resource types',
    parameters: [language],
    responses: { 200: { description: 'All types, by key.', content: json('ResourceTypes') } },
  },
  getType: {
    tags: ['Resource types'],
    summary: 'Read one resource type',
    parameters: [typeKey, language, header('If-None-Match', 'ETag of an earlier answer.')],
    responses: {
      200: { description: 'The type.', headers: etag, content: json('ResourceType') },
      304: { description: 'Nothing changed since the given ETag.', headers: etag },
      404: noType,
    },
  },
  putType: {
    tags: ['Resource types'],
    summary: 'Create a resource type, or replace what is known of it',
    description:
      'Labels show in every list at once. Product and alertable count for resources that are new from then on and ' +
      'do not bring their own.',
    parameters: [typeKey, language, ifMatch, ifNoneMatch],
    requestBody: { required: true, content: json('PutType') },
    responses: {
      200: { description: 'Replaced.', headers: etag, content: json('ResourceType') },
      201: { description: 'Created.', headers: etag, content: json('ResourceType') },
      400: problem('The key, the body or a condition is wrong.'),
      412: mismatch,
      413: problem('The body is too large.'),
      415: problem('The content type is not application/json.'),
      507: diskFull,
    },
  },
  deleteType: {
    tags: ['Resource types'],
    summary: 'Delete a resource type',
    parameters: [typeKey, ifMatch],
    responses: {
      204: { description: 'Deleted.' },
      404: noType,
      409: problem('There are resources of this type.'),
      412: mismatch,
    },
  },
};
