/** The list filters, which other operations take as well. */
export const filterParameterNames = [
  'resource_ids',
  'resource_type',
  'resource_types',
  'product',
  'resource_display_name_prefix',
  'enabled_alert',
] as const;

/** The filters of a search, besides `label.<key>`. */
export const searchFilterNames = [
  ...filterParameterNames,
  'state',
  'covered',
  'alertable',
  'text',
  'gpu_model',
  'sku',
  'created_after',
  'created_before',
  'state_since_after',
  'state_since_before',
] as const;

const pageParameterNames = ['page.offset', 'page.size', 'page.total'] as const;

export const searchParameterNames = [
  ...searchFilterNames,
  'order_by',
  'facets',
  ...pageParameterNames,
] as const;

/** The filters on stations of a search everywhere. */
export const stationFilterNames = ['subscription', 'resource_group', 'zone', 'station'] as const;

/** The query parameters of each roster API operation that has any. */
export const rosterParameterNames = {
  writeResources: ['mode', 'dry_run', 'allow_removal', 'max_changes'],
  patchResources: ['dry_run', 'max_changes'],
  listStations: [
    'subscription_name',
    'resource_group_name',
    'zone',
    'telemetry_station_name',
    'telemetry_station_name_prefix',
    ...pageParameterNames,
  ],
  searchResources: searchParameterNames,
  searchEverywhere: [...stationFilterNames, ...searchParameterNames],
  summariseResources: searchFilterNames,
  exportResources: [...searchFilterNames, 'format'],
  listChanges: [
    'since',
    'resource_id',
    'changed_after',
    'changed_before',
    'state_changes',
    ...searchFilterNames,
    'page.size',
  ],
  streamChanges: ['since', 'resource_id', ...searchFilterNames],
  readTrends: ['after', 'before', 'step'],
  listViews: ['shared', ...pageParameterNames],
  runView: pageParameterNames,
  runSharedView: pageParameterNames,
  revokeToken: ['cascade'],
  beginSignIn: ['return_to'],
  finishSignIn: ['code', 'state', 'iss', 'error', 'error_description'],
} as const satisfies Record<string, readonly string[]>;
