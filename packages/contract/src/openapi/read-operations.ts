import { limits } from '../limits.ts';
import { filterParameters, pageParameters } from './list-parameters.ts';
import {
  count,
  expired,
  header,
  json,
  listHeaders,
  noStation,
  pathParameter,
  problem,
  queryParameter,
  readHeaders,
  stationParameters,
  text,
} from './parts.ts';

/** What reads one station. */
export const readOperations = {
  listResources: {
    tags: ['List'],
    summary: 'List the resources of a station',
    description:
      'Filters combine with AND, the items of a list with OR. Resources come ordered by display name, then id. ' +
      'Without any page parameter the whole list comes in one answer and `page` is null.',
    parameters: [...stationParameters, ...filterParameters, ...pageParameters, ...readHeaders],
    responses: {
      200: { description: 'The resources.', headers: listHeaders, content: json('ListResponse') },
      304: { description: 'Nothing changed since the given ETag.', headers: listHeaders },
      400: problem('A parameter is wrong, unknown, or paging is required.'),
      404: noStation,
      410: expired,
      414: problem('The URL is too long.'),
      431: problem('The headers are too large.'),
      503: problem('The store does not answer; try again after Retry-After.'),
    },
  },
  summariseResources: {
    tags: ['Stations and resources'],
    summary: 'Count the resources of a station',
    description:
      'By alert state, type and product, with how many have no alert rules although they can have alerts. Takes the ' +
      'filters of the list.',
    parameters: [...stationParameters, ...filterParameters, ...readHeaders],
    responses: {
      200: { description: 'The figures.', headers: listHeaders, content: json('Summary') },
      304: { description: 'Nothing changed since the given ETag.', headers: listHeaders },
      400: problem('A parameter is wrong or unknown.'),
      404: noStation,
      410: expired,
    },
  },
  exportResources: {
    tags: ['Stations and resources'],
    summary: 'Take all resources out',
    description:
      'Streams every match from one snapshot, in the order of the list. What comes out can be written back: it ' +
      'holds every field. In CSV a cell that a spreadsheet would execute gets an apostrophe in front, which ' +
      'writing takes off again.',
    parameters: [
      ...stationParameters,
      ...filterParameters,
      queryParameter(
        'format',
        { type: 'string', enum: ['ndjson', 'csv', 'json'] },
        'Without it the header Accept decides, else it is NDJSON.',
      ),
      header('Accept', 'application/x-ndjson, text/csv or application/json.'),
      ...readHeaders,
    ],
    responses: {
      200: {
        description: 'The resources.',
        headers: listHeaders,
        content: {
          'application/x-ndjson': { schema: text },
          'text/csv': { schema: text },
          'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Record' } } },
        },
      },
      304: { description: 'Nothing changed since the given ETag.', headers: listHeaders },
      400: problem('A parameter is wrong or unknown.'),
      404: noStation,
      410: expired,
    },
  },
  getResource: {
    tags: ['Stations and resources'],
    summary: 'Read one resource',
    parameters: [
      ...stationParameters,
      pathParameter('resource_id', 'The resource.', 'res-1'),
      header('Accept-Language', 'Language of the type label.'),
    ],
    responses: {
      200: { description: 'The resource with all that is stored of it.', content: json('StoredResource') },
      404: problem('There is no such station or resource.'),
    },
  },
  listChanges: {
    tags: ['Stations and resources'],
    summary: 'Read what changed',
    description:
      'Every change after a revision, each once, in order. Read on with `next` as `since` while `has_more` is true, ' +
      'and later again from the last `next`.',
    parameters: [
      ...stationParameters,
      queryParameter(
        'since',
        text,
        'A revision, or `next` of an earlier answer. Without it, everything that is still known.',
      ),
      queryParameter('resource_id', text, 'Only changes of this resource.'),
      queryParameter(
        'page.size',
        { ...count, maximum: limits.maxHistoryPage, default: limits.defaultHistoryPage },
        'How many changes to return at most.',
      ),
      header('Accept-Language', 'Language of the type labels.'),
    ],
    responses: {
      200: { description: 'The changes.', content: json('HistoryPage') },
      400: problem('A parameter is wrong or unknown.'),
      404: noStation,
      410: problem('What changed since then is no longer known; list or export the station again.'),
    },
  },
  streamChanges: {
    tags: ['Stations and resources'],
    summary: 'Hear what changes',
    description:
      'Server-sent events. `change` carries one change, as in the list of changes; `revision` says that everything ' +
      'up to its revision has been sent, also from time to time while nothing changes. The ids of events are ' +
      'positions: a client that comes back with Last-Event-ID misses nothing and hears nothing twice. `expired` ' +
      'ends a stream that cannot go on, because the station is gone or began anew.',
    parameters: [
      ...stationParameters,
      queryParameter('since', text, 'Where to begin; without it, now.'),
      queryParameter('resource_id', text, 'Only changes of this resource.'),
      header('Last-Event-ID', 'Where to go on; it outranks `since`.'),
      header('Accept-Language', 'Language of the type labels.'),
    ],
    responses: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: text } } },
      400: problem('A parameter is wrong or unknown.'),
      404: noStation,
      410: problem('What changed since then is no longer known; list or export the station again.'),
    },
  },
};
