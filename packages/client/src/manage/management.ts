import { encodeSegment } from '../check-argument.ts';
import type { CallOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { PutType, ResourceType, Station, StationPage } from '../own-wire.ts';
import { askRoster } from './own-request.ts';
import { encodeStationsQuery, type StationFilters, type StationsQuery } from './stations-query.ts';

const stationsPerPage = 1000;

/** What Roster has beside the documented interface, over all stations. */
export class Management {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of stations, in order of their addresses. */
  async stations(query: StationsQuery = {}, options: CallOptions = {}): Promise<StationPage> {
    const search = encodeStationsQuery(query);
    const request = { method: 'GET', path: '/stations', search, options } as const;
    return (await askRoster(this.#transport, request, ['stations', 'page'])).value;
  }

  /** Every station that matches. One that comes or goes meanwhile may be missed, none comes twice. */
  async *allStations(filters: StationFilters = {}, options: CallOptions = {}): AsyncGenerator<Station, void> {
    const seen = new Set<string>();
    for (let offset = 0; ; ) {
      const { stations, page } = await this.stations({ ...filters, offset, size: stationsPerPage }, options);
      for (const station of stations) {
        if (!seen.has(station.station)) yield station;
        seen.add(station.station);
      }
      offset += stations.length;
      if (stations.length === 0 || offset >= page.total) return;
    }
  }

  /** All resource types, by key. */
  async types(options: CallOptions = {}): Promise<readonly ResourceType[]> {
    const request = { method: 'GET', path: '/resource-types', options } as const;
    const { value } = await askRoster(this.#transport, request, ['resource_types']);
    return (value as { resource_types: ResourceType[] }).resource_types;
  }

  async type(key: string, options: CallOptions = {}): Promise<ResourceType> {
    const request = { method: 'GET', path: typePath(key), options } as const;
    return (await askRoster(this.#transport, request, ['key'])).value;
  }

  /** Creates a type, or replaces all that is known of it. */
  async putType(
    key: string,
    type: PutType,
    options: CallOptions = {},
  ): Promise<{ created: boolean; type: ResourceType }> {
    const headers = { 'Content-Type': 'application/json' };
    const request = {
      method: 'PUT',
      path: typePath(key),
      body: JSON.stringify(type),
      headers,
      options,
    } as const;
    const { status, value } = await askRoster(this.#transport, request, ['key']);
    return { created: status === 201, type: value };
  }

  async deleteType(key: string, options: CallOptions = {}): Promise<void> {
    await askRoster(this.#transport, { method: 'DELETE', path: typePath(key), options }, []);
  }
}

function typePath(key: string): string {
  return `/resource-types/${encodeSegment('the key of the type', key)}`;
}
