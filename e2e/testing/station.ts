import type { RunningServer } from './start-server.ts';

export const samplePath =
  '/subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';
const listPrefix = '/monitor/ts/data/v1';
const writePrefix = '/roster/v1';

export interface ListedResource {
  readonly resource_type: { readonly key: string; readonly label: string };
  readonly resource_id: string;
  readonly create_time: string;
  readonly sku: string;
  readonly state: string;
  readonly display_name: string;
  readonly alert_rules_count: number;
  readonly name: string;
  readonly gpu_model: string;
}

export interface List {
  readonly resources: readonly ListedResource[];
  readonly page: { readonly offset: number; readonly size: number; readonly total: number } | null;
}

/** A resource on its way in: its id, and what else matters to the test. */
export interface NewResource {
  readonly resource_id: string;
  readonly [field: string]: unknown;
}

export const listPath = (station: string, query = '') => `${listPrefix}${station}/resources${query}`;
export const writePath = (station: string) => `${writePrefix}${station}/resources`;
export const stationPath = (name: string) =>
  `/subscriptions/e2e/resourceGroups/tests/zones/zone-1/telemetryStations/${name}`;

/** One station of a running server, asked over HTTP. */
export class Station {
  readonly path: string;
  readonly #server: RunningServer;

  constructor(server: RunningServer, path: string) {
    this.#server = server;
    this.path = path;
  }

  static async create(server: RunningServer, name = 'station'): Promise<Station> {
    const station = new Station(server, stationPath(name));
    const response = await station.put();
    if (!response.ok) throw new Error(`the station was not created: ${await response.text()}`);
    return station;
  }

  put(): Promise<Response> {
    return this.#server.fetch(`${writePrefix}${this.path}`, { method: 'PUT' });
  }

  delete(): Promise<Response> {
    return this.#server.fetch(`${writePrefix}${this.path}`, { method: 'DELETE' });
  }

  write(resources: Iterable<NewResource>): Promise<Response> {
    const headers = { 'Content-Type': 'application/x-ndjson' };
    return this.#server.fetch(writePath(this.path), { method: 'POST', headers, body: toNdjson(resources) });
  }

  remove(resourceId: string): Promise<Response> {
    const path = `${writePath(this.path)}/${encodeURIComponent(resourceId)}`;
    return this.#server.fetch(path, { method: 'DELETE' });
  }

  get(query = '', headers: Record<string, string> = {}): Promise<Response> {
    return this.#server.fetch(listPath(this.path, query), { headers });
  }

  /** Throws unless the answer is 200. */
  async list(query = '', headers: Record<string, string> = {}): Promise<List & { revision: string }> {
    const response = await this.get(query, headers);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return { ...((await response.json()) as List), revision: response.headers.get('roster-revision')! };
  }

  async total(query = ''): Promise<number> {
    const { page } = await this.list(`?page.size=0${query}`);
    return page!.total;
  }
}

export function toNdjson(resources: Iterable<NewResource>): string {
  let text = '';
  for (const resource of resources) {
    const { resource_id: id } = resource;
    text += `${JSON.stringify({ resource_type: 'resource_type.compute.vm', name: id, ...resource })}\n`;
  }
  return text;
}

/** Resources `<prefix>-00000` and so on, in list order. */
export function numbered(count: number, prefix = 'vm', fields: Record<string, unknown> = {}): NewResource[] {
  return Array.from({ length: count }, (_, index) => ({
    resource_id: `${prefix}-${String(index).padStart(5, '0')}`,
    ...fields,
  }));
}
