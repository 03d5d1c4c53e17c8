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
  createStation: { method: 'PUT', path: `/roster/v1${station}` },
  deleteStation: { method: 'DELETE', path: `/roster/v1${station}` },
  writeResources: { method: 'POST', path: `/roster/v1${station}/resources` },
  removeResource: { method: 'DELETE', path: `/roster/v1${station}/resources/{resource_id}` },
  health: { method: 'GET', path: '/healthz' },
  readiness: { method: 'GET', path: '/readyz' },
  openapi: { method: 'GET', path: '/openapi.json' },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
