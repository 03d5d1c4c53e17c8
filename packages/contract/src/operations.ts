import type { Access } from './access/access.ts';

const station =
  '/subscriptions/{subscription_name}/resourceGroups/{resource_group_name}/zones/{zone}/telemetryStations/{telemetry_station_name}';

export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly access: Access;
}

const readStation = { role: 'reader', over: 'station' } as const;
const writeStation = { role: 'writer', over: 'station' } as const;
const administerStation = { role: 'admin', over: 'station' } as const;
const sendToStation = { role: 'source', over: 'station' } as const;
const readOwn = { role: 'reader', over: 'own' } as const;
const administerOwn = { role: 'admin', over: 'own' } as const;
const administerEverything = { role: 'admin', over: 'everything' } as const;

/** Every operation of the server. Routes and the OpenAPI document are built from this table. */
export const operations = {
  listResources: { method: 'GET', path: `/monitor/ts/data/v1${station}/resources`, access: readStation },
  listStations: { method: 'GET', path: '/roster/v1/stations', access: readOwn },
  getStation: { method: 'GET', path: `/roster/v1${station}`, access: readStation },
  createStation: { method: 'PUT', path: `/roster/v1${station}`, access: administerStation },
  deleteStation: { method: 'DELETE', path: `/roster/v1${station}`, access: administerStation },
  writeResources: { method: 'POST', path: `/roster/v1${station}/resources`, access: writeStation },
  patchResources: { method: 'PATCH', path: `/roster/v1${station}/resources`, access: writeStation },
  searchResources: { method: 'GET', path: `/roster/v1${station}/resources`, access: readStation },
  searchEverywhere: { method: 'GET', path: '/roster/v1/resources', access: readOwn },
  getResource: { method: 'GET', path: `/roster/v1${station}/resources/{resource_id}`, access: readStation },
  removeResource: {
    method: 'DELETE',
    path: `/roster/v1${station}/resources/{resource_id}`,
    access: writeStation,
  },
  listAlerts: {
    method: 'GET',
    path: `/roster/v1${station}/resources/{resource_id}/alerts`,
    access: readStation,
  },
  receiveAlerts: { method: 'POST', path: `/roster/v1${station}/alertmanager`, access: sendToStation },
  listSources: { method: 'GET', path: '/roster/v1/sources', access: readOwn },
  listUnmatched: { method: 'GET', path: '/roster/v1/sources/{source_name}/unmatched', access: readOwn },
  summariseResources: { method: 'GET', path: `/roster/v1${station}/summary`, access: readStation },
  readTrends: { method: 'GET', path: `/roster/v1${station}/trends`, access: readStation },
  exportResources: { method: 'GET', path: `/roster/v1${station}/export`, access: readStation },
  listChanges: { method: 'GET', path: `/roster/v1${station}/changes`, access: readStation },
  streamChanges: { method: 'GET', path: `/roster/v1${station}/changes/stream`, access: readStation },
  listTypes: { method: 'GET', path: '/roster/v1/resource-types', access: readOwn },
  getType: {
    method: 'GET',
    path: '/roster/v1/resource-types/{type_key}',
    access: readOwn,
  },
  putType: {
    method: 'PUT',
    path: '/roster/v1/resource-types/{type_key}',
    access: administerEverything,
  },
  deleteType: {
    method: 'DELETE',
    path: '/roster/v1/resource-types/{type_key}',
    access: administerEverything,
  },
  listViews: { method: 'GET', path: '/roster/v1/views', access: readOwn },
  getView: { method: 'GET', path: '/roster/v1/views/{view_name}', access: readOwn },
  putView: { method: 'PUT', path: '/roster/v1/views/{view_name}', access: readOwn },
  deleteView: { method: 'DELETE', path: '/roster/v1/views/{view_name}', access: readOwn },
  runView: { method: 'GET', path: '/roster/v1/views/{view_name}/resources', access: readOwn },
  getSharedView: { method: 'GET', path: '/roster/v1/shared-views/{view_name}', access: readOwn },
  putSharedView: {
    method: 'PUT',
    path: '/roster/v1/shared-views/{view_name}',
    access: administerEverything,
  },
  deleteSharedView: {
    method: 'DELETE',
    path: '/roster/v1/shared-views/{view_name}',
    access: administerEverything,
  },
  runSharedView: { method: 'GET', path: '/roster/v1/shared-views/{view_name}/resources', access: readOwn },
  listTokens: { method: 'GET', path: '/roster/v1/tokens', access: administerOwn },
  createToken: { method: 'POST', path: '/roster/v1/tokens', access: administerOwn },
  revokeToken: { method: 'DELETE', path: '/roster/v1/tokens/{token_id}', access: administerOwn },
  getSession: { method: 'GET', path: '/roster/v1/session', access: 'open' },
  createSession: { method: 'POST', path: '/roster/v1/session', access: 'open' },
  deleteSession: { method: 'DELETE', path: '/roster/v1/session', access: 'open' },
  beginSignIn: { method: 'GET', path: '/roster/v1/session/oidc', access: 'open' },
  finishSignIn: { method: 'GET', path: '/roster/v1/session/oidc/callback', access: 'open' },
  health: { method: 'GET', path: '/healthz', access: 'open' },
  readiness: { method: 'GET', path: '/readyz', access: 'open' },
  metrics: { method: 'GET', path: '/metrics', access: { role: 'reader', over: 'everything' } },
  openapi: { method: 'GET', path: '/openapi.json', access: 'open' },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
