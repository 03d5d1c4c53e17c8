import { Type } from 'typebox';

const count = Type.Integer({ minimum: 0 });
const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });
const texts = Type.Record(Type.String(), Type.String());

const DiscoverySchema = Type.Object(
  {
    targets: Type.Integer({ minimum: 0, description: 'Active targets.' }),
    resources: Type.Integer({ minimum: 0, description: 'Resources that it discovered.' }),
    taken: Type.Integer({
      minimum: 0,
      description: 'Resources that targets would make, but that others have brought in.',
    }),
    unmapped: Type.Integer({ minimum: 0, description: 'Targets of jobs without a resource type.' }),
    unmapped_jobs: Type.Array(
      Type.Object({ job: Type.String(), targets: count }, { additionalProperties: false }),
      { description: 'These jobs, at most 100.' },
    ),
    unusable: Type.Integer({ minimum: 0, description: 'Targets that cannot become a resource.' }),
    examples: Type.Array(Type.Object({ labels: texts, reason: Type.String() }), {
      description: 'Some of them, and why.',
    }),
    surplus: Type.Integer({
      minimum: 0,
      description: 'Resources that targets would make beyond what `max_resources` allows.',
    }),
    missing: Type.Integer({ minimum: 0, description: 'Discovered resources without a target.' }),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'Why resources are not made, or why those whose grace is over are not retired.',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why targets were not taken in when they were last asked for.',
    }),
  },
  { additionalProperties: false },
);

export const SourceSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['prometheus', 'alertmanager'] as const),
    urls: Type.Array(Type.String(), { description: 'Several for the members of an Alertmanager cluster.' }),
    stations: Type.Array(Type.String(), { description: 'Paths of its stations within your scopes.' }),
    missing_stations: Type.Array(Type.String(), {
      description: 'Those of its stations that do not exist, so that nothing is written for them.',
    }),
    interval_seconds: Type.Number(),
    health: Type.Enum(['up', 'down', 'no_station', 'unknown'] as const, {
      description:
        '`no_station` if it answers but one of its stations does not exist, `unknown` until it was asked for the first time.',
    }),
    last_read: timeOrNull('When it last answered: states are as of then.'),
    down_since: timeOrNull('Since when it does not answer; null if it does.'),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it is down.' }),
    warnings: Type.Array(Type.String(), {
      description: 'Of Prometheus, of the members of a cluster, and on missing stations.',
    }),
    read_ms: Type.Integer({ minimum: 0, description: 'How long the last question took.' }),
    alerts: Type.Object(
      { total: count, tied: count, unmatched: count, ambiguous: count },
      { additionalProperties: false, description: 'Its alerts, by whether they are tied to a resource.' },
    ),
    rules: Type.Union(
      [
        Type.Object(
          {
            total: count,
            unresolved: count,
            examples: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() })),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      {
        description:
          'Its alerting rules, and how many are unresolved: it is unknown which resources they watch. null for Alertmanager, and while they have not been read.',
      },
    ),
    discovery: Type.Union([DiscoverySchema, Type.Null()], {
      description:
        'What becomes of its targets. null if it discovers nothing, or if your scopes do not have all its stations.',
    }),
  },
  { additionalProperties: false },
);

export const SourcesSchema = Type.Object(
  { sources: Type.Array(SourceSchema) },
  { additionalProperties: false },
);

export const UnmatchedAlertSchema = Type.Object(
  {
    reason: Type.Enum(['unmatched', 'ambiguous'] as const),
    labels: texts,
    candidates: Type.Array(Type.String(), { description: 'Ids of resources that fit equally well.' }),
  },
  { additionalProperties: false },
);

export const UnmatchedAlertsSchema = Type.Object(
  { unmatched: Type.Array(UnmatchedAlertSchema, { description: 'At most 1000.' }) },
  { additionalProperties: false },
);

export const AlertSchema = Type.Object(
  {
    fingerprint: Type.String(),
    state: Type.Enum(['firing', 'pending', 'suppressed'] as const),
    since: Type.String({ format: 'date-time' }),
    labels: texts,
    annotations: texts,
    generator_url: Type.Optional(
      Type.String({ description: 'Where to look at what raised it: its expression in Prometheus.' }),
    ),
    silences: Type.Array(
      Type.Object({
        id: Type.String(),
        created_by: Type.String(),
        comment: Type.String(),
        until: timeOrNull('When it ends.'),
      }),
    ),
    inhibited_by: Type.Array(Type.String(), { description: 'Fingerprints of the alerts that inhibit it.' }),
    sources: Type.Array(Type.String(), { description: 'The sources that tell it.' }),
  },
  { additionalProperties: false },
);

export const AlertsSchema = Type.Object(
  { alerts: Type.Array(AlertSchema, { description: 'Worst first.' }) },
  { additionalProperties: false },
);

export const ReceivedAlertsSchema = Type.Object(
  { firing: count, resolved: count },
  { additionalProperties: false },
);
