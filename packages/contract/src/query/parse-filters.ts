import type { ListQuery } from './list-query.ts';
import { acceptedTypes, parseBoolean, parseItems } from './parse-parameter.ts';
import type { QueryParameters } from './query-parameters.ts';
import type { filterParameterNames } from './roster-parameters.ts';

type FilterName = (typeof filterParameterNames)[number];

/** The list filters, for operations without pages. */
export function parseFilters(given: Pick<QueryParameters<FilterName>, 'one' | 'all'>): ListQuery {
  return {
    resourceIds: parseItems('resource_ids', given.all('resource_ids')),
    types: acceptedTypes(
      given.one('resource_type'),
      parseItems('resource_types', given.all('resource_types')),
    ),
    product: given.one('product'),
    displayNamePrefix: given.one('resource_display_name_prefix'),
    alertableOnly: parseBoolean('enabled_alert', given.one('enabled_alert')) ?? false,
    page: null,
  };
}
