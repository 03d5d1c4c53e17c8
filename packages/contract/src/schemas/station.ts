import { Type } from 'typebox';
import { ListedTypeSchema, PageSchema } from './listing.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const figures = {
  total: count('All of them.'),
  alertable: count('Can have alerts.'),
  covered: count('Alertable and with alert rules.'),
  uncovered: count('Alertable and without alert rules.'),
};
const states = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
  description: 'Number in each alert state.',
  examples: [{ ALERTSTATE_FIRING: 4, ALERTSTATE_INACTIVE: 1196 }],
});

export const StationSchema = Type.Object(
  {
    station: Type.String({ description: "The station's address in path form." }),
    subscription_name: Type.String(),
    resource_group_name: Type.String(),
    zone: Type.String(),
    telemetry_station_name: Type.String(),
    revision: Type.String({ examples: ['k3v9x0a1bc.42'] }),
    resources: Type.Object({ ...figures, states }, { additionalProperties: false }),
  },
  { additionalProperties: false },
);

export const StationPageSchema = Type.Object(
  { stations: Type.Array(StationSchema), page: PageSchema },
  { additionalProperties: false },
);

export const SummarySchema = Type.Object(
  {
    ...figures,
    states,
    types: Type.Array(Type.Object({ ...ListedTypeSchema.properties, ...figures, states })),
    products: Type.Array(
      Type.Object({ product: Type.String({ description: 'Empty: no product.' }), ...figures, states }),
    ),
  },
  { additionalProperties: false },
);

const countOrNull = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description });
const statesOrNull = (description: string) =>
  Type.Union([Type.Record(Type.String(), Type.Integer({ minimum: 0 })), Type.Null()], { description });

export const TrendPointSchema = Type.Object(
  {
    time: Type.String({
      format: 'date-time',
      description: 'When the hour or day began.',
      examples: ['2026-01-31T08:00:00.000Z'],
    }),
    hours: count('Of how many of its hours something is known; without any, all figures are null.'),
    total: countOrNull('All resources, as of the last sample.'),
    alertable: countOrNull('Can have alerts.'),
    covered: countOrNull('Alertable and with alert rules.'),
    uncovered: countOrNull('Alertable and without alert rules.'),
    states: statesOrNull('Number in each alert state, as of the last sample.'),
    peaks: statesOrNull('The most that were in each alert state at once.'),
  },
  { additionalProperties: false },
);

export const TrendsSchema = Type.Object(
  {
    step: Type.Union([Type.Literal('hour'), Type.Literal('day')]),
    points: Type.Array(TrendPointSchema, { description: 'One for each step, oldest first.' }),
  },
  { additionalProperties: false },
);

const labels = Type.Record(Type.String(), Type.String(), {
  description: 'By language tag.',
  examples: [{ en: 'GPU node', zh: 'GPU 节点' }],
});

export const PutTypeSchema = Type.Object(
  {
    key: Type.Optional(Type.String({ description: 'As in the path.' })),
    label: Type.Optional(Type.String({ description: 'Ignored; set `labels` instead.' })),
    labels: Type.Optional(labels),
    product: Type.Optional(Type.String({ description: 'Default product of new resources.' })),
    version: Type.Optional(Type.String({ description: 'Ignored; send If-Match instead.' })),
    alertable: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether new resources can have alerts by default.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const ResourceTypeSchema = Type.Object(
  {
    ...ListedTypeSchema.properties,
    labels,
    product: Type.String(),
    alertable: Type.Boolean(),
    version: Type.String({
      description: 'Differs after every change. Send it as If-Match to write only if nothing changed.',
      examples: ['9f86d081884c7d65'],
    }),
  },
  { additionalProperties: false },
);

export const ResourceTypesSchema = Type.Object(
  { resource_types: Type.Array(ResourceTypeSchema) },
  { additionalProperties: false },
);
