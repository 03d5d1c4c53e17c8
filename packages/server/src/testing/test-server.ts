import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { RunningRoster } from '../main/serve.ts';
import { startRoster } from '../main/start-roster.ts';
import { readSettings } from '../settings/read-settings.ts';

const stationUrlPath = 'subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';

export interface ListBody {
  readonly resources: Record<string, unknown>[];
  readonly page: { readonly offset: number; readonly size: number; readonly total: number } | null;
}

/** A real server on a real SQLite directory, with one station of its own. */
export class TestServer implements AsyncDisposable {
  readonly url: string;
  readonly metricsUrl: string;
  /** May do everything, where authentication is on. */
  readonly firstToken: string | undefined;
  readonly stop: (graceMs: number) => Promise<void>;

  private constructor(
    { url, metricsUrl, firstToken }: RunningRoster,
    stop: (graceMs: number) => Promise<void>,
  ) {
    this.url = url;
    this.metricsUrl = metricsUrl ?? `${url}/metrics`;
    this.firstToken = firstToken;
    this.stop = stop;
  }

  static async start(
    environment: Record<string, string> = {},
    consoleDirectory?: string,
    logger = pino({ level: 'silent' }),
  ): Promise<TestServer> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-server-'));
    const settings = readSettings({
      ROSTER_PORT: '0',
      ROSTER_AUTH: 'off',
      ROSTER_DATA: directory,
      ...environment,
    });
    const roster = await startRoster(settings, logger, {
      consoleDirectory,
      lookAtCertificateMs: 50,
      // A machine that stalls must not change what is written.
      sourcePatienceMs: 60_000,
    });
    return new TestServer(roster, async (graceMs) => {
      await roster.stop(graceMs);
      await rm(directory, { recursive: true });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(1000);
  }

  /** Deletes all stations and types. */
  async empty(): Promise<void> {
    const at = `${this.url}/roster/v1`;
    const { stations } = (await (await fetch(`${at}/stations`)).json()) as {
      stations: { station: string }[];
    };
    for (const { station } of stations) await fetch(`${at}/${station}`, { method: 'DELETE' });
    const { resource_types: types } = (await (await fetch(`${at}/resource-types`)).json()) as {
      resource_types: { key: string }[];
    };
    for (const { key } of types) await fetch(`${at}/resource-types/${key}`, { method: 'DELETE' });
  }

  list(query = '', init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/monitor/ts/data/v1/${stationUrlPath}/resources?${query}`, init);
  }

  async listed(query = '', init: RequestInit = {}): Promise<ListBody> {
    return (await this.list(query, init)).json() as Promise<ListBody>;
  }

  /** The ids of a list, in order. */
  async ids(query = '', init: RequestInit = {}): Promise<unknown[]> {
    return (await this.listed(query, init)).resources.map((resource) => resource.resource_id);
  }

  manage(rest: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/roster/v1/${stationUrlPath}${rest}`, init);
  }

  createStation(): Promise<Response> {
    return this.manage('', { method: 'PUT' });
  }

  writeText(body: string | Uint8Array<ArrayBuffer>, contentType = 'application/x-ndjson'): Promise<Response> {
    return this.manage('/resources', { method: 'POST', body, headers: { 'Content-Type': contentType } });
  }

  write(...records: object[]): Promise<Response> {
    return this.writeText(JSON.stringify(records), 'application/json');
  }
}

/** A record of which a test says only what matters to it. */
export function record(id: string, given: object = {}): object {
  return { resource_type: 'resource_type.compute.vm', resource_id: id, name: `name-${id}`, ...given };
}
