import { encodeSegment } from '../check-argument.ts';
import type { CallOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type {
  CreatedToken,
  NewToken,
  PutType,
  ResourceType,
  Session,
  Station,
  StationPage,
  Token,
} from '../own-wire.ts';
import { askRoster, type OwnRequest } from './own-request.ts';
import { encodeStationsQuery, type StationFilters, type StationsQuery } from './stations-query.ts';

const stationsPerPage = 1000;

/** A write that only counts while the type has a version. */
export interface DeleteTypeOptions extends CallOptions {
  readonly ifVersion?: string | undefined;
}

export interface PutTypeOptions extends CallOptions {
  /** Null: only if there is no such type. */
  readonly ifVersion?: string | null | undefined;
}

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
    options: PutTypeOptions = {},
  ): Promise<{ created: boolean; type: ResourceType }> {
    const { body, headers } = json(type);
    const condition = typeCondition(options);
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
    const request = { method: 'DELETE', path: typePath(key), ...typeCondition(options), options } as const;
    await askRoster(this.#transport, request, []);
  }

  /** The tokens that the caller may see, oldest first. */
  async tokens(options: CallOptions = {}): Promise<readonly Token[]> {
    const request = { method: 'GET', path: '/tokens', options } as const;
    const { value } = await askRoster(this.#transport, request, ['tokens']);
    return (value as { tokens: Token[] }).tokens;
  }

  /** A second request would make a second token, so it is sent once. */
  async createToken(token: NewToken, options: CallOptions = {}): Promise<CreatedToken> {
    const request = { method: 'POST', path: '/tokens', ...json(token), options, canRepeat: false } as const;
    return (await askRoster(this.#transport, request, ['id', 'token'])).value;
  }

  async revokeToken(id: string, options: CallOptions = {}): Promise<void> {
    const path = `/tokens/${encodeSegment('the id of the token', id)}`;
    await askRoster(this.#transport, { method: 'DELETE', path, options }, []);
  }

  /** Who is signed in, and how to sign in. */
  async session(options: CallOptions = {}): Promise<Session> {
    const request = { method: 'GET', path: '/session', options } as const;
    return (await askRoster(this.#transport, request, sessionMembers)).value;
  }

  /** For browsers: keeps the token in a cookie that scripts cannot read. */
  async signIn(token: string, options: CallOptions = {}): Promise<Session> {
    const request = { method: 'POST', path: '/session', ...json({ token }), options } as const;
    return (await askRoster(this.#transport, request, sessionMembers)).value;
  }

  /** For browsers: forgets the cookie. */
  async signOut(options: CallOptions = {}): Promise<void> {
    await askRoster(this.#transport, { method: 'DELETE', path: '/session', options }, []);
  }
}

const sessionMembers = ['authentication', 'principal', 'sign_in'];

function json(value: unknown): { body: string; headers: Record<string, string> } {
  return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}

/** Once such a request is done, sending it again is refused: its first answer must not get lost unseen. */
function typeCondition({ ifVersion }: PutTypeOptions): Pick<OwnRequest, 'canRepeat' | 'headers'> {
  if (ifVersion === undefined) return {};
  const headers: Record<string, string> =
    ifVersion === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${ifVersion}"` };
  return { canRepeat: false, headers };
}

function typePath(key: string): string {
  return `/resource-types/${encodeSegment('the key of the type', key)}`;
}
