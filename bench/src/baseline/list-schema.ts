const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** Fastify validates the request and compiles its serialiser from this. */
export const listSchema = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      resource_ids: text,
      resource_type: text,
      resource_types: text,
      product: text,
      resource_display_name_prefix: text,
      enabled_alert: { type: 'boolean' },
      'page.offset': count,
      'page.size': { ...count, maximum: 1000 },
      'page.total': count,
    },
  },
  response: {
    200: {
      type: 'object',
      properties: {
        resources: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              resource_type: { type: 'object', properties: { key: text, label: text } },
              resource_id: text,
              create_time: text,
              sku: text,
              state: text,
              display_name: text,
              alert_rules_count: { type: 'integer' },
              name: text,
              gpu_model: text,
            },
          },
        },
        page: {
          type: 'object',
          nullable: true,
          properties: { offset: count, size: count, total: count },
        },
      },
    },
  },
} as const;
