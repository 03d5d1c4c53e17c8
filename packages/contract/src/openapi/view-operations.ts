import {
  diskFull,
  expired,
  header,
  json,
  listHeaders,
  pathParameter,
  problem,
  queryParameter,
  readHeaders,
  reference,
  text,
} from './components.ts';
import { pageParameters } from './list-parameters.ts';

const viewName = pathParameter('view_name', 'The view.', 'firing');
const ifMatch = header('If-Match', 'Write only if the view has this version, such as `"9f86d081884c7d65"`.');
const ifNoneMatch = header('If-None-Match', '`*`: write only if there is no such view.');
const mismatch = problem('The view does not match If-Match or If-None-Match; nothing was written.');
const etag = { ETag: { schema: text, description: 'Send it as If-Match, or as If-None-Match to get 304.' } };
const noView = problem('No such view.');

interface Kind {
  /** Such as `one of your views`. */
  readonly one: string;
  readonly about: string;
}

const own: Kind = { one: 'one of your views', about: 'Only its owner sees it. It goes when the token does.' };
const shared: Kind = {
  one: 'a shared view',
  about: 'Everyone sees it who may read the station that it is for.',
};

const get = ({ one }: Kind) => ({
  tags: ['Views'],
  summary: `Read ${one}`,
  description: 'What it searches for, and where. Append `/resources` to the path to run it.',
  parameters: [viewName, header('If-None-Match', 'ETag of an earlier response.')],
  responses: {
    200: { description: 'The view.', headers: etag, content: json('SavedView') },
    304: { description: 'Unchanged since the given ETag.', headers: etag },
    404: noView,
  },
});

const put = ({ one, about }: Kind) => ({
  tags: ['Views'],
  summary: `Save ${one}`,
  description: `${about} The search is checked as if it were run. Replaces the view of this name, if there is one.`,
  parameters: [viewName, ifMatch, ifNoneMatch],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: reference('PutView'),
        example: {
          station: 'subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1',
          query: 'state=firing&order_by=-state_since',
        },
      },
    },
  },
  responses: {
    200: { description: 'Replaced.', headers: etag, content: json('SavedView') },
    201: { description: 'Created.', headers: etag, content: json('SavedView') },
    400: problem('The name, the body or a condition is invalid.'),
    404: problem('No such station.'),
    409: problem('The maximum number of views is reached.'),
    412: mismatch,
    413: problem('The body is too large.'),
    415: problem('The content type is not application/json.'),
    507: diskFull,
  },
});

const remove = ({ one }: Kind) => ({
  tags: ['Views'],
  summary: `Delete ${one}`,
  description: 'Resources are not affected.',
  parameters: [viewName, ifMatch],
  responses: { 204: { description: 'Deleted.' }, 404: noView, 412: mismatch },
});

const run = ({ one }: Kind) => ({
  tags: ['Views'],
  summary: `Run ${one}`,
  description:
    'Answers what the search of the view finds now, exactly as that search would. Takes a page, and no more filters.',
  parameters: [viewName, ...pageParameters, ...readHeaders],
  responses: {
    200: {
      description: 'The resources. Those of a view for all stations name their station.',
      headers: listHeaders,
      content: {
        'application/json': { schema: { oneOf: [reference('SearchPage'), reference('EverywherePage')] } },
      },
    },
    304: { description: 'Unchanged since the given ETag.', headers: listHeaders },
    400: problem('A parameter is invalid, unknown, or up to the view.'),
    404: problem('No such view, or its station is gone.'),
    410: expired,
    503: problem('Too many searches at once; try again after Retry-After.'),
  },
});

/** Saved searches. */
export const viewOperations = {
  listViews: {
    tags: ['Views'],
    summary: 'List the views',
    description:
      'Your own, then the shared ones, each by name. Views of stations out of your scopes are left out.',
    parameters: [
      queryParameter('shared', { type: 'boolean' }, 'Only shared views, or only your own.'),
      ...pageParameters,
    ],
    responses: {
      200: { description: 'The views.', content: json('SavedViewPage') },
      400: problem('A parameter is invalid or unknown.'),
    },
  },
  getView: get(own),
  putView: put(own),
  deleteView: remove(own),
  runView: run(own),
  getSharedView: get(shared),
  putSharedView: put(shared),
  deleteSharedView: remove(shared),
  runSharedView: run(shared),
};
