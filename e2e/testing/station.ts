import type { RunningServer } from './start-server.ts';
import type { Figures, HistoryPage, List, PastChange, RecordView, Summary } from './station-answers.ts';

export const samplePath =
  '/subscriptions/demo/resourceGroups/sample/zones/zone-1/telemetryStations/station-1';
const listPrefix = '/monitor/ts/data/v1';
const writePrefix = '/roster/v1';

/** A resource on its way in: its id, and what else matters to the test. */
export interface NewResource {
  readonly resource_id: string;
  readonly [field: string]: unknown;
}

/** How a body is sent. */
export interface Sending {
  /** With its question mark. */
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

export type Body = NonNullable<RequestInit['body']>;

export const mediaTypes = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
  yaml: 'application/yaml',
} as const;

export type Format = keyof typeof mediaTypes;

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

  post(body: Body, format: Format, { query = '', headers = {} }: Sending = {}): Promise<Response> {
    const init = { method: 'POST', body, headers: { 'Content-Type': mediaTypes[format], ...headers } };
    return this.#server.fetch(`${writePath(this.path)}${query}`, init);
  }

  write(resources: Iterable<NewResource>, sending?: Sending): Promise<Response> {
    return this.post(toNdjson(resources), 'ndjson', sending);
  }

  remove(resourceId: string, headers: Record<string, string> = {}): Promise<Response> {
    const path = `${writePath(this.path)}/${encodeURIComponent(resourceId)}`;
    return this.#server.fetch(path, { method: 'DELETE', headers });
  }

  /** Asks for the station itself, or for a part of it such as `/summary`. */
  ask(part = '', headers: Record<string, string> = {}): Promise<Response> {
    return this.#server.fetch(`${writePrefix}${this.path}${part}`, { headers });
  }

  get(query = '', headers: Record<string, string> = {}): Promise<Response> {
    return this.#server.fetch(listPath(this.path, query), { headers });
  }

  /** This and what follows throw unless the answer is 200. */
  async list(query = '', headers: Record<string, string> = {}): Promise<List & { revision: string }> {
    const response = await succeeded(await this.get(query, headers));
    return { ...((await response.json()) as List), revision: response.headers.get('roster-revision')! };
  }

  async total(query = ''): Promise<number> {
    const { page } = await this.list(`?page.size=0${query}`);
    return page!.total;
  }

  async export(format: Exclude<Format, 'yaml'>, query = ''): Promise<string> {
    return (await succeeded(await this.ask(`/export?format=${format}${query}`))).text();
  }

  async records(): Promise<RecordView[]> {
    return JSON.parse(await this.export('json'));
  }

  async summary(query = '', headers: Record<string, string> = {}): Promise<Summary & { revision: string }> {
    const response = await succeeded(await this.ask(`/summary${query}`, headers));
    return { ...((await response.json()) as Summary), revision: response.headers.get('roster-revision')! };
  }

  async described(): Promise<{ revision: string; resources: Figures }> {
    const response = await succeeded(await this.ask());
    return (await response.json()) as { revision: string; resources: Figures };
  }

  /** Every change after a revision, or every one that is known, read page by page. */
  async history(pageSize = 1000, since?: string): Promise<PastChange[]> {
    const changes: PastChange[] = [];
    for (let next = since; ; ) {
      const after = next === undefined ? '' : `&since=${next}`;
      const response = await succeeded(await this.ask(`/changes?page.size=${pageSize}${after}`));
      const page = (await response.json()) as HistoryPage;
      changes.push(...page.changes);
      if (!page.has_more) return changes;
      next = page.next;
    }
  }
}

async function succeeded(response: Response): Promise<Response> {
  if (response.status === 200) return response;
  throw new Error(`${response.status}: ${await response.text()}`);
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
