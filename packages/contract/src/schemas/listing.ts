import { type Static, Type } from 'typebox';

export const ListedTypeSchema = Type.Object(
  {
    key: Type.String({
      description: 'Dotted token that filters match on.',
      examples: ['resource_type.compute.gpu_node'],
    }),
    label: Type.String({ description: 'Display name in the negotiated language.' }),
  },
  { additionalProperties: false },
);

export const ListedResourceSchema = Type.Object(
  {
    resource_type: ListedTypeSchema,
    resource_id: Type.String({ description: 'Identifier, unique within its station.' }),
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
    name: Type.String({ description: 'Name, unique within its station.' }),
    gpu_model: Type.String({ description: 'GPU model; empty if none.' }),
  },
  { additionalProperties: false },
);

export const PageSchema = Type.Object(
  {
    offset: Type.Integer({ minimum: 0, description: 'Number of matches skipped.' }),
    size: Type.Integer({ minimum: 0, description: 'The page size that was applied.' }),
    total: Type.Integer({ minimum: 0, description: 'Exact number of matches in this snapshot.' }),
  },
  { additionalProperties: false },
);

export const ListResponseSchema = Type.Object(
  {
    resources: Type.Array(ListedResourceSchema),
    page: Type.Union([PageSchema, Type.Null()], {
      description: 'null if the request had no page parameter.',
    }),
  },
  { additionalProperties: false },
);

export type ListedResource = Static<typeof ListedResourceSchema>;
export type Page = Static<typeof PageSchema>;
export type ListResponse = Static<typeof ListResponseSchema>;
