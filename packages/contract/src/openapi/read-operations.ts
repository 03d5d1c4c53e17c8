import { limits } from '../limits.ts';
import { stationFacetFields } from '../query/everywhere-query.ts';
import { trendSteps } from '../query/parse-trends-query.ts';
import { facetFields } from '../query/search-query.ts';
import {
  count,
  expired,
  header,
  hintHeader,
  json,
  listHeaders,
  newestHeaders,
  newestReadHeaders,
  noStation,
  pathParameter,
  problem,
  queryParameter,
  readHeaders,
  stationParameters,
  text,
} from './components.ts';
import {
  facetsParameter,
  filterParameters,
  orderParameter,
  pageParameters,
  searchParameters,
  stationFilterParameters,
  time,
} from './list-parameters.ts';

/** Operations that read resources. */
export const readOperations = {
  listResources: {
    tags: ['List'],
    summary: 'List the resources of a station',
    description:
      'Filters combine with AND, the items of a list with OR. Resources are ordered by display name, then id. ' +
      'Without page parameters, one response holds the whole list and `page` is null.',
    parameters: [...stationParameters, ...filterParameters, ...pageParameters, ...readHeaders],
    responses: {
      200: {
        description: 'The resources.',
        headers: { ...listHeaders, ...hintHeader },
        content: json('ListResponse'),
      },
      304: { description: 'Unchanged since the given ETag.', headers: listHeaders },
      400: problem('A parameter is invalid or unknown, or paging is required.'),
      404: noStation,
      410: expired,
      414: problem('The URL is too long.'),
      431: problem('The headers are too large.'),
      503: problem('The store does not answer; try again after Retry-After.'),
    },
  },
  searchResources: {
    tags: ['Stations and resources'],
    summary: 'Search the resources of a station',
    description:
      'Everything that the list can filter by, and state, coverage, text, labels and times; in any order, with every ' +
      'field, and with counts of what else there is. Always answers a page. With `facets`, the values of each are ' +
      'counted among the resources that match all other filters.',
    parameters: [
      ...stationParameters,
      ...searchParameters,
      orderParameter,
      facetsParameter(facetFields),
      ...pageParameters,
      ...readHeaders,
    ],
    responses: {
      200: { description: 'The resources.', headers: listHeaders, content: json('SearchPage') },
      304: { description: 'Unchanged since the given ETag.', headers: listHeaders },
      400: problem('A parameter is invalid or unknown.'),
      404: noStation,
      410: expired,
      503: problem('Too many searches at once; try again after Retry-After.'),
    },
  },
  searchEverywhere: {
    tags: ['Stations and resources'],
    summary: 'Search all stations',
    description:
      'A search over every station that the caller may read, each as it is now. What is out of scope neither shows nor ' +
      'counts. Each resource says its `station`. Searches for other states than inactive, or for resources without ' +
      'alert rules, cost little however many stations there are; others read the stations they ask for.',
    parameters: [
      ...stationFilterParameters,
      ...searchParameters,
      orderParameter,
      facetsParameter([...stationFacetFields, ...facetFields]),
      ...pageParameters,
      ...newestReadHeaders,
    ],
    responses: {
      200: { description: 'The resources.', headers: newestHeaders, content: json('EverywherePage') },
      304: { description: 'Unchanged since the given ETag.', headers: newestHeaders },
      400: problem('A parameter is invalid or unknown, or the search is too wide.'),
      503: problem('Too many searches at once; try again after Retry-After.'),
    },
  },
  summariseResources: {
    tags: ['Stations and resources'],
    summary: 'Count the resources of a station',
    description:
      'By alert state, type and product, and how many alertable resources have no alert rules. Takes the ' +
      'filters of a search.',
    parameters: [...stationParameters, ...searchParameters, ...readHeaders],
    responses: {
      200: { description: 'The counts.', headers: listHeaders, content: json('Summary') },
      304: { description: 'Unchanged since the given ETag.', headers: listHeaders },
      400: problem('A parameter is invalid or unknown.'),
      404: noStation,
      410: expired,
    },
  },
  readTrends: {
    tags: ['Stations and resources'],
    summary: 'Read how the counts of a station developed',
    description:
      'What the station had at the end of each hour or day of UTC, the current one so far, and the most that were in ' +
      'each state at once. The server looks once a minute, so a state that lasted less may be missing from the peaks. ' +
      'Where the server did not look, or there was no station yet, all figures are null and `hours` is 0.',
    parameters: [
      ...stationParameters,
      queryParameter(
        'after',
        time,
        'The first point holds this time. Default: a day before `before`, or 30 with `step=day`.',
      ),
      queryParameter('before', time, 'The last point begins before this time. Default: now.'),
      queryParameter(
        'step',
        { type: 'string', enum: Object.keys(trendSteps), default: 'hour' },
        `A point for each hour or for each day; at most ${limits.maxTrendPoints} points.`,
      ),
    ],
    responses: {
      200: { description: 'The points, oldest first.', content: json('Trends') },
      400: problem('A parameter is invalid or unknown, or there are too many points.'),
      404: noStation,
    },
  },
  exportResources: {
    tags: ['Stations and resources'],
    summary: 'Take all resources out',
    description:
      'Streams every match from one snapshot, in the order of the list. The result has every field and can be ' +
      'imported again. In CSV, a cell that a spreadsheet would execute gets a leading apostrophe, which ' +
      'an import removes.',
    parameters: [
      ...stationParameters,
      ...searchParameters,
      queryParameter(
        'format',
        { type: 'string', enum: ['ndjson', 'csv', 'json'] },
        'Default: from the Accept header, else NDJSON.',
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
      304: { description: 'Unchanged since the given ETag.', headers: listHeaders },
      400: problem('A parameter is invalid or unknown.'),
      404: noStation,
      410: expired,
    },
  },
  getResource: {
    tags: ['Stations and resources'],
    summary: 'Read one resource',
    description: 'Every stored field, and the revision that last changed it.',
    parameters: [
      ...stationParameters,
      pathParameter('resource_id', 'The resource.', 'res-1'),
      header('Accept-Language', 'Language of the type label.'),
    ],
    responses: {
      200: { description: 'The resource with every stored field.', content: json('StoredResource') },
      404: problem('No such station or resource.'),
    },
  },
  listChanges: {
    tags: ['Stations and resources'],
    summary: 'Read what changed',
    description:
      'Every change after a revision, each once, in order. Continue with `next` as `since` while `has_more` is true, ' +
      'and later from the last `next`.',
    parameters: [
      ...stationParameters,
      queryParameter(
        'since',
        text,
        'A revision, or `next` of an earlier response. Default: the whole history kept.',
      ),
      queryParameter('resource_id', text, 'Only changes of this resource.'),
      queryParameter('changed_after', time, 'Only changes made at this time or later.'),
      queryParameter('changed_before', time, 'Only changes made before this time.'),
      queryParameter(
        'state_changes',
        { type: 'boolean' },
        'If true, only changes of the state. What was not there before counts as inactive.',
      ),
      ...searchParameters,
      queryParameter(
        'page.size',
        { ...count, maximum: limits.maxHistoryPage, default: limits.defaultHistoryPage },
        'Maximum number of changes to return.',
      ),
      header('Accept-Language', 'Language of the type labels.'),
    ],
    responses: {
      200: { description: 'The changes.', content: json('HistoryPage') },
      400: problem('A parameter is invalid or unknown.'),
      404: noStation,
      410: problem('The history since then is no longer kept; list or export the station again.'),
    },
  },
  streamChanges: {
    tags: ['Stations and resources'],
    summary: 'Stream changes',
    description:
      'Server-sent events. `change` carries one change, as in the list of changes; `revision` confirms that ' +
      'everything up to its revision has been sent, and is repeated as a heartbeat. Event ids are positions: a ' +
      'client that reconnects with Last-Event-ID misses nothing and gets nothing twice. `expired` ends a stream ' +
      'whose station was deleted or started a new history.',
    parameters: [
      ...stationParameters,
      queryParameter('since', text, 'Where to start (default: now).'),
      queryParameter('resource_id', text, 'Only changes of this resource.'),
      ...searchParameters,
      header('Last-Event-ID', 'Where to resume; overrides `since`.'),
      header('Accept-Language', 'Language of the type labels.'),
    ],
    responses: {
      200: { description: 'The events.', content: { 'text/event-stream': { schema: text } } },
      400: problem('A parameter is invalid or unknown.'),
      404: noStation,
      410: problem('The history since then is no longer kept; list or export the station again.'),
    },
  },
};
