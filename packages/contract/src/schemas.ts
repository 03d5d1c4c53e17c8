import { type Static, Type } from 'typebox';
import { errorCodes } from './errors.ts';
import { limits } from './limits.ts';

const typeKeyPattern = '^resource_type(\\.[A-Za-z0-9_-]+)+$';

const ListedTypeSchema = Type.Object(
  {
    key: Type.String({
      description: 'Dotted token that filters match on.',
      examples: ['resource_type.compute.gpu_node'],
    }),
    label: Type.String({ description: 'The type in the language that was negotiated.' }),
  },
  { additionalProperties: false },
);

export const ListedResourceSchema = Type.Object(
  {
    resource_type: ListedTypeSchema,
    resource_id: Type.String({ description: 'Identifier, unique in its station.' }),
    create_time: Type.String({
      format: 'date-time',
      description: 'Creation time in UTC, always with a fraction of a second.',
      examples: ['2026-01-31T08:00:00.000Z'],
    }),
    sku: Type.String({ description: 'Size of the resource as a quantity and a unit.', examples: ['8 GPU'] }),
    state: Type.String({
      description: 'Alert state. An open set: expect tokens other than the ones Roster itself produces.',
      examples: ['ALERTSTATE_INACTIVE', 'ALERTSTATE_PENDING', 'ALERTSTATE_FIRING'],
    }),
    display_name: Type.String({ description: 'Name for people; lists are ordered by it.' }),
    alert_rules_count: Type.Integer({ minimum: 0, description: 'How many alert rules cover the resource.' }),
    name: Type.String({ description: 'Unique name in its station.' }),
    gpu_model: Type.String({ description: 'GPU type, empty where there is none.' }),
  },
  { additionalProperties: false },
);

export const PageSchema = Type.Object(
  {
    offset: Type.Integer({ minimum: 0, description: 'How many matches were skipped.' }),
    size: Type.Integer({ minimum: 0, description: 'The page size that was applied.' }),
    total: Type.Integer({ minimum: 0, description: 'How many resources match, exactly, in this snapshot.' }),
  },
  { additionalProperties: false },
);

export const ListResponseSchema = Type.Object(
  {
    resources: Type.Array(ListedResourceSchema),
    page: Type.Union([PageSchema, Type.Null()], {
      description: 'null when the request had no page parameter.',
    }),
  },
  { additionalProperties: false },
);

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
    alertable: Type.Optional(Type.Boolean({ default: true })),
  },
  { additionalProperties: false },
);

export const StationSchema = Type.Object(
  {
    station: Type.String({ description: "The station's address in path form." }),
    revision: Type.String({ examples: ['k3v9x0a1bc.42'] }),
  },
  { additionalProperties: false },
);

export const WriteResultSchema = Type.Object(
  {
    revision: Type.String({
      description: 'The revision that shows this write.',
      examples: ['k3v9x0a1bc.42'],
    }),
    created: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0 }),
    unchanged: Type.Integer({ minimum: 0 }),
    removed: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);

export const HealthSchema = Type.Object({ status: Type.String() }, { additionalProperties: false });

const FaultSchema = Type.Object({
  line: Type.Integer({
    minimum: 1,
    description: 'Line of an NDJSON body; position in a JSON array, from 1.',
  }),
  field: Type.Optional(Type.String()),
  reason: Type.String(),
});

export const ProblemSchema = Type.Object({
  type: Type.String({ format: 'uri-reference' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String({ enum: [...errorCodes] }),
  request_id: Type.String(),
  parameter: Type.Optional(Type.String({ description: 'The parameter or header at fault.' })),
  total: Type.Optional(Type.Integer({ description: 'With paging_required: how many resources match.' })),
  faults: Type.Optional(
    Type.Array(FaultSchema, { description: 'With invalid_records: the first faults in line order.' }),
  ),
  fault_count: Type.Optional(
    Type.Integer({ description: 'With invalid_records: how many faults there are in all.' }),
  ),
});

export type ListedResource = Static<typeof ListedResourceSchema>;
export type Page = Static<typeof PageSchema>;
export type ListResponse = Static<typeof ListResponseSchema>;
export type Problem = Static<typeof ProblemSchema>;
