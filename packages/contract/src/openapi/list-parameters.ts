import { limits } from '../limits.ts';
import { orderFields } from '../query/search-query.ts';
import { count, queryParameter, text } from './components.ts';

export const time = { type: 'string', format: 'date-time' };

export const filterParameters = [
  queryParameter(
    'resource_ids',
    text,
    `Only these ids: comma-separated, repeatable, at most ${limits.maxListItems}.`,
  ),
  queryParameter('resource_type', text, 'Only this type key.'),
  queryParameter('resource_types', text, 'Only these type keys: comma-separated, repeatable.'),
  queryParameter('product', text, 'Only this product, such as `product.gpu`.'),
  queryParameter(
    'resource_display_name_prefix',
    text,
    'Only display names that start with exactly this text.',
  ),
  queryParameter('enabled_alert', { type: 'boolean' }, 'If true, only resources that can have alerts.'),
];

/** The filters of a search. */
export const searchParameters = [
  ...filterParameters,
  queryParameter(
    'state',
    text,
    'Only these states: `firing` or `ALERTSTATE_FIRING`; comma-separated, repeatable.',
  ),
  queryParameter(
    'covered',
    { type: 'boolean' },
    'Only alertable resources with alert rules, or only those without.',
  ),
  queryParameter(
    'alertable',
    { type: 'boolean' },
    'Only resources that can have alerts, or only those that cannot.',
  ),
  queryParameter(
    'text',
    text,
    'Only resources with this text in the display name, the name or the id. Case, accents and width are ignored.',
  ),
  queryParameter('gpu_model', text, 'Only these GPU models: comma-separated, repeatable.'),
  queryParameter('sku', text, 'Only these SKUs: comma-separated, repeatable.'),
  {
    ...queryParameter(
      'label',
      { type: 'object', additionalProperties: text },
      'Send `label.<key>=<value>`: only resources with one of these values, comma-separated or repeated. Several keys combine with AND.',
    ),
    style: 'form',
    explode: true,
  },
  queryParameter('created_after', time, 'Only resources created at this time or later.'),
  queryParameter('created_before', time, 'Only resources created before this time.'),
  queryParameter('state_since_after', time, 'Only resources in their state since this time or later.'),
  queryParameter('state_since_before', time, 'Only resources in their state since before this time.'),
];

/** The filters on stations of a search everywhere. */
export const stationFilterParameters = [
  queryParameter('subscription', text, 'Only these subscriptions: comma-separated, repeatable.'),
  queryParameter('resource_group', text, 'Only these resource groups: comma-separated, repeatable.'),
  queryParameter('zone', text, 'Only these zones: comma-separated, repeatable.'),
  queryParameter(
    'station',
    text,
    'Only these stations, by name or by path as in `station` of the answer: comma-separated, repeatable.',
  ),
];

export const orderParameter = queryParameter(
  'order_by',
  {
    type: 'string',
    enum: orderFields.flatMap((field) => [field, `-${field}`]),
    default: 'display_name',
  },
  'Descending with a minus. `state` begins with the worst. Ties are ordered by display name, then id.',
);

export function facetsParameter(fields: readonly string[]) {
  return queryParameter(
    'facets',
    text,
    `Fields to count, comma-separated: ${fields.join(', ')} and label.<key>.`,
  );
}

export const pageParameters = [
  queryParameter('page.offset', count, 'How many matches to skip; none by default.'),
  queryParameter(
    'page.size',
    { ...count, maximum: limits.maxPageSize },
    `Maximum number to return; 0 returns only the total. A page has ${limits.defaultPageSize} by default.`,
    5,
  ),
  queryParameter(
    'page.total',
    count,
    'Accepted so that a page object can be sent back. It asks for a page, like the other two; its value does not matter.',
  ),
];
