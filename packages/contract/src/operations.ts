const station =
  '/subscriptions/{subscription_name}/resourceGroups/{resource_group_name}/zones/{zone}/telemetryStations/{telemetry_station_name}';

export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
}

/** Every operation of the server. Routes and the OpenAPI document are both made from this table. */
export const operations = {
  listResources: { method: 'GET', path: `/monitor/ts/data/v1${station}/resources` },
  listStations: { method: 'GET', path: '/roster/v1/stations' },
  getStation: { method: 'GET', path: `/roster/v1${station}` },
  createStation: { method: 'PUT', path: `/roster/v1${station}` },
  deleteStation: { method: 'DELETE', path: `/roster/v1${station}` },
  writeResources: { method: 'POST', path: `/roster/v1${station}/resources` },
  getResource: { method: 'GET', path: `/roster/v1${station}/resources/{resource_id}` },
  removeResource: { method: 'DELETE', path: `/roster/v1${station}/resources/{resource_id}` },
  summariseResources: { method: 'GET', path: `/roster/v1${station}/summary` },
  exportResources: { method: 'GET', path: `/roster/v1${station}/export` },
  listChanges: { method: 'GET', path: `/roster/v1${station}/changes` },
  streamChanges: { method: 'GET', path: `/roster/v1${station}/changes/stream` },
  listTypes: { method: 'GET', path: '/roster/v1/resource-types' },
  getType: { method: 'GET', path: '/roster/v1/resource-types/{type_key}' },
  putType: { method: 'PUT', path: '/roster/v1/resource-types/{type_key}' },
  deleteType: { method: 'DELETE', path: '/roster/v1/resource-types/{type_key}' },
  health: { method: 'GET', path: '/healthz' },
  readiness: { method: 'GET', path: '/readyz' },
  openapi: { method: 'GET', path: '/openapi.json' },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
