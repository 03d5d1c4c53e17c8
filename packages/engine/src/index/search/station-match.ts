import {
  type Facet,
  isInScope,
  isWithin,
  parseStationKey,
  type Scope,
  type StationAddress,
  type StationFilters,
  stationPath,
} from '@roster/contract';

/** Which stations a search finds resources of: those that its filters name, and that its reader may see. */
export class StationMatch {
  /** Equal for matches of the same stations. */
  readonly key: string;
  readonly isEverything: boolean;
  readonly #filters: StationFilters;
  readonly #scopes: readonly Scope[];

  constructor(filters: StationFilters, scopes: readonly Scope[]) {
    this.#filters = filters;
    this.#scopes = scopes;
    this.key = JSON.stringify([filters, scopes.map(({ text }) => text)]);
    const hasFilters = Object.values(filters).some((wanted) => wanted !== undefined);
    this.isEverything = !hasFilters && scopes.some(({ parts }) => parts.length === 0);
  }

  isWanted(address: StationAddress): boolean {
    return isWithin(address, this.#filters) && this.#scopes.some((scope) => isInScope(scope, address));
  }

  /** The same without the filter that a facet stands for. What is out of scope stays out. */
  without(facet: Facet): StationMatch {
    const field = fieldOf[facet as StationFacet];
    if (field === undefined || this.#filters[field] === undefined) return this;
    return new StationMatch({ ...this.#filters, [field]: undefined }, this.#scopes);
  }
}

type StationFacet = keyof typeof fieldOf;

const fieldOf = {
  subscription: 'subscriptions',
  resource_group: 'resourceGroups',
  zone: 'zones',
  station: 'stations',
} as const satisfies Record<string, keyof StationFilters>;

/** The value that a station gives its resources; undefined for other facets. */
export function stationValue(facet: Facet, station: string): string | undefined {
  const address = parseStationKey(station);
  switch (facet) {
    case 'subscription':
      return address.subscription;
    case 'resource_group':
      return address.resourceGroup;
    case 'zone':
      return address.zone;
    case 'station':
      return stationPath(address);
    default:
      return undefined;
  }
}
