import type { ListQuery } from '@roster/contract';

/** The query string. No value of the data set needs escaping. */
export function formatQuery(query: ListQuery): string {
  const parts: string[] = [];
  if (query.resourceIds) parts.push(`resource_ids=${query.resourceIds.join(',')}`);
  if (query.types?.length === 1) parts.push(`resource_type=${query.types[0]}`);
  else if (query.types) parts.push(`resource_types=${query.types.join(',')}`);
  if (query.product) parts.push(`product=${query.product}`);
  if (query.displayNamePrefix) parts.push(`resource_display_name_prefix=${query.displayNamePrefix}`);
  if (query.alertableOnly) parts.push('enabled_alert=true');
  if (query.page) parts.push(`page.offset=${query.page.offset}`, `page.size=${query.page.size}`);
  return parts.join('&');
}
