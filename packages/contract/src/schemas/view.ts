import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { PageSchema } from './listing.ts';

const name = Type.String({ maxLength: limits.maxViewNameLength, examples: ['firing'] });
const station = Type.Union([Type.String(), Type.Null()], {
  description: 'The station that is searched, as a path; null for all stations of the caller.',
  examples: ['subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1'],
});
const query = Type.String({
  maxLength: limits.maxViewQueryLength,
  description:
    'Filters, order and facets of the search, as in its URL; without a page. Times may also be relative to when ' +
    'the view is run: `now-90m` (`s`, `m`, `h` or `d`).',
  examples: ['state=firing&order_by=-state_since'],
});

/** A saved search. */
export const SavedViewSchema = Type.Object(
  {
    name,
    shared: Type.Boolean({ description: 'Whether everyone sees it, or only its owner.' }),
    station,
    query,
    path: Type.String({
      description: 'Where it is. Append `/resources` to run it.',
      examples: ['/roster/v1/views/firing'],
    }),
    version: Type.String({
      description:
        'Differs between different contents. Send it as If-Match to write only if nothing changed.',
      examples: ['9f86d081884c7d65'],
    }),
    changed_at: Type.String({ format: 'date-time', description: 'When it was saved.' }),
    changed_by: Type.String({ description: 'Name of who saved it; for a token, followed by its id.' }),
  },
  { additionalProperties: false },
);

export const SavedViewPageSchema = Type.Object(
  { views: Type.Array(SavedViewSchema), page: PageSchema },
  { additionalProperties: false },
);

const ignored = { description: 'Ignored, so that a view can be sent back.' };

export const PutViewSchema = Type.Object(
  {
    station,
    query,
    name: Type.Optional(Type.String({ description: 'As in the path.' })),
    shared: Type.Optional(Type.Boolean(ignored)),
    path: Type.Optional(Type.String(ignored)),
    version: Type.Optional(Type.String({ description: 'Ignored; send If-Match instead.' })),
    changed_at: Type.Optional(Type.String(ignored)),
    changed_by: Type.Optional(Type.String(ignored)),
  },
  { additionalProperties: false },
);
