import { dataDamaged, isInScope, type StationAddress, stationKey } from '@roster/contract';
import type { Station, StationPage, StationQuery } from '@roster/engine/port';
import { type Announced, Announcements } from '../../shared/announcements.ts';

/** Mutable, so that a change of the station does not require sorting again. */
interface Entry {
  station: Station;
}

/** The stations that readers see. A new state becomes visible after the hook, in commit order per station. */
export class VisibleStations {
  readonly announcements = new Announcements();
  readonly #entries = new Map<string, Entry>();
  /** Undefined after a station was created or deleted. */
  #sorted: readonly Entry[] | undefined;

  /** Undefined after anything changed. */
  #all: readonly Station[] | undefined;

  /** Some station cannot be read, and it is unknown which. */
  hasDamaged: boolean;

  constructor(stations: readonly Station[], hasDamaged = false) {
    this.hasDamaged = hasDamaged;
    for (const station of stations) this.#entries.set(stationKey(station.address), { station });
  }

  /** Throws `data_damaged` when the station may be one that cannot be read. */
  get(address: StationAddress): Station | undefined {
    const station = this.#entries.get(stationKey(address))?.station;
    if (station === undefined && this.hasDamaged) throw dataDamaged('the station');
    return station;
  }

  /** Throws `data_damaged` when a station is missing that cannot be read. */
  select(query: StationQuery): StationPage {
    if (this.hasDamaged) throw dataDamaged('a station');
    this.#sorted ??= this.#sort();
    return selectStations(this.#sorted, query);
  }

  /** Throws as `select` does. */
  all(): readonly Station[] {
    if (this.hasDamaged) throw dataDamaged('a station');
    this.#sorted ??= this.#sort();
    this.#all ??= this.#sorted.map(({ station }) => station);
    return this.#all;
  }

  /** Call it in commit order; without a state the station is gone. */
  publish(
    address: StationAddress,
    state: Omit<Station, 'address'> | undefined,
    known: Omit<Announced, 'show'> = {},
  ): Promise<void> {
    const show = () => this.#set(stationKey(address), state && { address, ...state });
    return this.announcements.announce(address, state?.head, { show, ...known });
  }

  #set(key: string, station: Station | undefined): void {
    this.#all = undefined;
    const entry = this.#entries.get(key);
    if (entry && station) {
      entry.station = station;
      return;
    }
    if (station) this.#entries.set(key, { station });
    else this.#entries.delete(key);
    this.#sorted = undefined;
  }

  /** The separator in a key sorts below all characters, so keys sort by the names in turn. */
  #sort(): Entry[] {
    const keys = [...this.#entries.keys()].sort();
    return keys.map((key) => this.#entries.get(key)!);
  }
}

/** The page of stations that a query matches. */
function selectStations(sorted: readonly { station: Station }[], query: StationQuery): StationPage {
  const isWanted = filterOf(query);
  const matching = isWanted ? sorted.filter(({ station }) => isWanted(station.address)) : sorted;
  const page = matching.slice(query.offset, query.offset + query.limit);
  return { stations: page.map(({ station }) => station), total: matching.length };
}

const filteredParts = ['subscription', 'resourceGroup', 'zone', 'name'] as const;

/** Undefined when every station matches. */
function filterOf(query: StationQuery): ((address: StationAddress) => boolean) | undefined {
  const parts = filteredParts.filter((part) => query[part] !== undefined);
  const { namePrefix, scopes } = query;
  if (parts.length === 0 && namePrefix === undefined && scopes === undefined) return undefined;
  return (address) =>
    parts.every((part) => address[part] === query[part]) &&
    (namePrefix === undefined || address.name.startsWith(namePrefix)) &&
    (scopes === undefined || scopes.some((scope) => isInScope(scope, address)));
}
