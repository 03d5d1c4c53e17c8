import { encodeSegment } from '../check-argument.ts';
import type { CallOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import { type EverywhereQuery, encodeEverywhereQuery } from '../query/search-query.ts';
import { encodeStationsQuery, type StationFilters, type StationsQuery } from '../query/stations-query.ts';
import type {
  CreatedToken,
  EverywherePage,
  NewToken,
  PutType,
  ResourceType,
  Revocation,
  Session,
  Source,
  Station,
  StationPage,
  Token,
  UnmatchedAlert,
} from '../roster-wire.ts';
import { askRoster, atVersion, jsonBody, type VersionOptions } from './roster-request.ts';
import { ViewManagement } from './view-management.ts';

const stationsPerPage = 1000;

/** A write that requires a version of the type. */
export interface DeleteTypeOptions extends CallOptions {
  readonly ifVersion?: string | undefined;
}

export interface RevokeOptions extends CallOptions {
  /** Also revoke every token created with it, directly or not. */
  readonly cascade?: boolean | undefined;
}

/** The roster API for the whole server. */
export class Management {
  readonly views: ViewManagement;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.views = new ViewManagement(transport);
    this.#transport = transport;
  }

  /** One page of stations, by address. */
  async stations(query: StationsQuery = {}, options: CallOptions = {}): Promise<StationPage> {
    const search = encodeStationsQuery(query);
    const request = { method: 'GET', path: '/stations', search, options } as const;
    return (await askRoster(this.#transport, request, ['stations', 'page'])).value;
  }

  /** Every matching station, each once. One created or deleted meanwhile may be missed. */
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

  /** One page of the resources of all stations that match. */
  async search(query: EverywhereQuery = {}, options: CallOptions = {}): Promise<EverywherePage> {
    const search = encodeEverywhereQuery(query, this.#transport.settings.listDelimiter);
    const request = { method: 'GET', path: '/resources', search, options, canCache: true } as const;
    return (await askRoster(this.#transport, request, ['resources', 'page'])).value;
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

  /** Creates or replaces a type. */
  async putType(
    key: string,
    type: PutType,
    options: VersionOptions = {},
  ): Promise<{ created: boolean; type: ResourceType }> {
    const { body, headers } = jsonBody(type);
    const condition = atVersion(options);
    const request = {
      method: 'PUT',
      path: typePath(key),
      body,
      ...condition,
      headers: { ...headers, ...condition.headers },
      options,
    } as const;
    const { status, value } = await askRoster(this.#transport, request, ['key']);
    return { created: status === 201, type: value };
  }

  async deleteType(key: string, options: DeleteTypeOptions = {}): Promise<void> {
    const request = { method: 'DELETE', path: typePath(key), ...atVersion(options), options } as const;
    await askRoster(this.#transport, request, []);
  }

  /** The tokens that the caller may see, oldest first. */
  async tokens(options: CallOptions = {}): Promise<readonly Token[]> {
    const request = { method: 'GET', path: '/tokens', options } as const;
    const { value } = await askRoster(this.#transport, request, ['tokens']);
    return (value as { tokens: Token[] }).tokens;
  }

  /** Never repeated, because a second request would create a second token. */
  async createToken(token: NewToken, options: CallOptions = {}): Promise<CreatedToken> {
    const request = {
      method: 'POST',
      path: '/tokens',
      ...jsonBody(token),
      options,
      canRepeat: false,
    } as const;
    return (await askRoster(this.#transport, request, ['id', 'token'])).value;
  }

  async revokeToken(id: string, options: RevokeOptions = {}): Promise<Revocation> {
    const path = `/tokens/${encodeSegment('the id of the token', id)}${options.cascade ? '?cascade=true' : ''}`;
    const request = { method: 'DELETE', path, options } as const;
    return (await askRoster(this.#transport, request, ['revoked', 'still_valid'])).value;
  }

  /** The sources of the stations in your scopes, in the order of the configuration. */
  async sources(options: CallOptions = {}): Promise<readonly Source[]> {
    const request = { method: 'GET', path: '/sources', options } as const;
    const { value } = await askRoster(this.#transport, request, ['sources']);
    return (value as { sources: Source[] }).sources;
  }

  /** The alerts of a source that are tied to no resource. */
  async unmatched(source: string, options: CallOptions = {}): Promise<readonly UnmatchedAlert[]> {
    const path = `/sources/${encodeSegment('the name of the source', source)}/unmatched`;
    const { value } = await askRoster(this.#transport, { method: 'GET', path, options }, ['unmatched']);
    return (value as { unmatched: UnmatchedAlert[] }).unmatched;
  }

  /** The current principal, and the ways to sign in. */
  async session(options: CallOptions = {}): Promise<Session> {
    const request = { method: 'GET', path: '/session', options } as const;
    return (await askRoster(this.#transport, request, sessionMembers)).value;
  }

  /** For browsers: stores the token in a cookie that scripts cannot read. */
  async signIn(token: string, options: CallOptions = {}): Promise<Session> {
    const request = { method: 'POST', path: '/session', ...jsonBody({ token }), options } as const;
    return (await askRoster(this.#transport, request, sessionMembers)).value;
  }

  /** For browsers: deletes the cookie. */
  async signOut(options: CallOptions = {}): Promise<void> {
    await askRoster(this.#transport, { method: 'DELETE', path: '/session', options }, []);
  }
}

const sessionMembers = ['authentication', 'principal', 'sign_in'];

function typePath(key: string): string {
  return `/resource-types/${encodeSegment('the key of the type', key)}`;
}
