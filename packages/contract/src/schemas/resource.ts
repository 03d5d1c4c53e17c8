import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { ListedResourceSchema, PageSchema } from './listing.ts';

const typeKeyPattern = '^resource_type(\\.[A-Za-z0-9_-]+){2,}$';

const LabelsSchema = Type.Record(Type.String(), Type.String({ maxLength: limits.maxLabelLength }), {
  maxProperties: limits.maxLabels,
  description:
    'Free texts by key, such as `rack` or `example.com/owner`. Keys follow the rules of Kubernetes.',
  examples: [{ rack: 'r12', owner: 'search' }],
});

export const RecordSchema = Type.Object(
  {
    resource_type: Type.Union([
      Type.String({ pattern: typeKeyPattern, maxLength: limits.maxTokenLength }),
      Type.Object(
        { key: Type.String({ pattern: typeKeyPattern }), label: Type.Optional(Type.String()) },
        { additionalProperties: false },
      ),
    ]),
    resource_id: Type.String({ minLength: 1, maxLength: limits.maxIdLength, pattern: '^[^,]+$' }),
    name: Type.String({ minLength: 1, maxLength: limits.maxNameLength }),
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: limits.maxNameLength })),
    create_time: Type.Optional(Type.String({ format: 'date-time' })),
    sku: Type.Optional(Type.String({ maxLength: limits.maxTextLength })),
    gpu_model: Type.Optional(Type.String({ maxLength: limits.maxTextLength })),
    state: Type.Optional(Type.String({ pattern: '^ALERTSTATE_[A-Z0-9_]+$' })),
    alert_rules_count: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]+$' })]),
    ),
    product: Type.Optional(Type.String({ pattern: '^(product(\\.[A-Za-z0-9_-]+)+)?$' })),
    alertable: Type.Optional(Type.Boolean({ description: 'By default, that of its type.' })),
    state_since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it entered its state. Without it, a change of state happens now.',
      }),
    ),
    labels: Type.Optional(
      Type.Union([LabelsSchema, Type.String({ description: 'As in a table: `owner=search;rack=r12`.' })]),
    ),
    station: Type.Optional(
      Type.String({
        description: 'Not stored. A record that names another station is refused.',
      }),
    ),
  },
  { additionalProperties: false },
);

const { resource_id, name, resource_type, ...optionalFields } = RecordSchema.properties;

/** Changes of a stored resource. */
export const RecordPatchSchema = Type.Object(
  { resource_id, name: Type.Optional(name), resource_type: Type.Optional(resource_type), ...optionalFields },
  { additionalProperties: false },
);

/** A resource in the roster API. */
export const RecordViewSchema = Type.Object(
  {
    ...ListedResourceSchema.properties,
    product: Type.String({ description: 'Product token; empty if none.' }),
    alertable: Type.Boolean({ description: 'Whether the resource can have alerts.' }),
    state_since: Type.String({ format: 'date-time', description: 'When it entered its state.' }),
    labels: LabelsSchema,
  },
  { additionalProperties: false },
);

export const FacetCountsSchema = Type.Object(
  {
    values: Type.Array(
      Type.Object(
        { value: Type.String(), count: Type.Integer({ minimum: 1 }) },
        { additionalProperties: false },
      ),
      { description: 'Most frequent first.' },
    ),
    other_values: Type.Integer({ minimum: 0, description: 'How many more values there are.' }),
  },
  { additionalProperties: false },
);

const besidesResources = {
  page: PageSchema,
  facets: Type.Union([Type.Record(Type.String(), FacetCountsSchema), Type.Null()], {
    description:
      'By facet: its values among the resources that match all other filters. Null unless asked for.',
  }),
  hints: Type.Array(Type.String(), {
    description: 'What may have been meant by filters that name what there is not.',
  }),
};

export const SearchPageSchema = Type.Object(
  { resources: Type.Array(RecordViewSchema), ...besidesResources },
  { additionalProperties: false },
);

/** A resource among those of all stations. */
export const FoundResourceSchema = Type.Object(
  {
    station: Type.String({
      description: 'The station that it belongs to, as in the list of stations.',
      examples: ['subscriptions/acme/resourceGroups/gpu/zones/zone-1/telemetryStations/east'],
    }),
    ...RecordViewSchema.properties,
  },
  { additionalProperties: false },
);

export const EverywherePageSchema = Type.Object(
  { resources: Type.Array(FoundResourceSchema), ...besidesResources },
  { additionalProperties: false },
);

const ChangedBySchema = Type.Optional(
  Type.String({
    description:
      'Who made the revision: a token by name and id, a user by the name that the issuer gives, or `source:<name>`. ' +
      'Absent if unknown.',
    examples: ['nightly-import (tok_3v9x0a1bc7de)', 'source:prom-east'],
  }),
);

export const StoredResourceSchema = Type.Object(
  {
    ...RecordViewSchema.properties,
    revision: Type.String({ description: 'The revision that last changed it.', examples: ['k3v9x0a1bc.42'] }),
    changed_at: Type.String({ format: 'date-time', description: 'When that was.' }),
    changed_by: ChangedBySchema,
  },
  { additionalProperties: false },
);

const valueSchema = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

export const ChangeSchema = Type.Object({
  change: Type.Enum(['created', 'updated', 'removed']),
  resource_id: Type.String(),
  resource: RecordViewSchema,
  match: Type.Optional(
    Type.Enum(['entered', 'left', 'stayed'], {
      description: 'With filters: whether the resource came to match them, ceased to, or went on.',
    }),
  ),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Object({ before: valueSchema, after: valueSchema }), {
      description:
        'For an update: the fields that differ. A label is named `labels.<key>`, and null where there is none.',
    }),
  ),
});

export const HistoryPageSchema = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        revision: Type.String(),
        changed_at: Type.String({ format: 'date-time' }),
        changed_by: ChangedBySchema,
        ...ChangeSchema.properties,
      }),
    ),
    next: Type.String({ description: 'Send it as `since` to continue.', examples: ['k3v9x0a1bc.42'] }),
    has_more: Type.Boolean({ description: 'Whether there is more to read now.' }),
    history_from: Type.Object(
      {
        revision: Type.String({ examples: ['k3v9x0a1bc.17'] }),
        time: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When that revision was made; null if unknown.',
        }),
      },
      {
        additionalProperties: false,
        description:
          'Where the history that is kept begins: after this revision. Older changes are forgotten; the number 0 means ' +
          'that none are, and the time is when the station was created.',
      },
    ),
  },
  { additionalProperties: false },
);

const counts = {
  created: Type.Integer({ minimum: 0 }),
  updated: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
  removed: Type.Integer({ minimum: 0 }),
  new_types: Type.Array(Type.String(), {
    description: 'New types, labelled from their key unless the records had a label.',
  }),
  new_states: Type.Array(Type.String(), {
    description:
      'States that no resource of the station was in, besides those of Prometheus and Alertmanager: check them for typos.',
  }),
  left_alone: Type.Optional(
    Type.Object(
      {
        fields: Type.Array(Type.String()),
        records: Type.Integer({ minimum: 1, description: 'How many records had such a field.' }),
        sources: Type.Array(Type.String()),
      },
      {
        description: 'Fields of the records that sources of the station own, so that they stay as they are.',
      },
    ),
  ),
};

export const WriteResultSchema = Type.Object(
  {
    revision: Type.String({
      description: 'The revision that shows this write.',
      examples: ['k3v9x0a1bc.42'],
    }),
    ...counts,
  },
  { additionalProperties: false },
);

export const PlanSchema = Type.Object(
  {
    dry_run: Type.Literal(true),
    revision: Type.String({
      description: 'The revision of the plan. Send it as If-Match to apply exactly this plan.',
      examples: ['k3v9x0a1bc.42'],
    }),
    ...counts,
    refusal: Type.Union([Type.Object({ code: Type.String(), detail: Type.String() }), Type.Null()], {
      description: 'Why the write would be refused; null if it would not.',
    }),
    total_changes: Type.Integer({ minimum: 0, description: 'How many resources would change.' }),
    changes: Type.Array(
      Type.Object({
        line: Type.Optional(Type.Integer({ minimum: 1, description: 'First line of the record.' })),
        ...ChangeSchema.properties,
      }),
      { description: 'The first `max_changes` of them.' },
    ),
  },
  { additionalProperties: false },
);
