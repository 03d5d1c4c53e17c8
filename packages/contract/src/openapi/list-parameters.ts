import { limits } from '../limits.ts';
import { count, queryParameter, text } from './components.ts';

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

export const pageParameters = [
  queryParameter('page.offset', { ...count, default: 0 }, 'How many matches to skip.'),
  queryParameter(
    'page.size',
    { ...count, maximum: limits.maxPageSize, default: limits.defaultPageSize },
    'Maximum number to return; 0 returns only the total.',
    5,
  ),
  queryParameter('page.total', count, 'Ignored; accepted so that a page object can be sent back.'),
];
