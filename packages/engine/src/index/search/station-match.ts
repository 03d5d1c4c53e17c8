import {
  type Facet,
  isInScope,
  parseStationKey,
  type Scope,
  type StationAddress,
  type StationFilters,
  stationKey,
  stationMatcher,
  stationPath,
} from '@roster/contract';

/** Which stations a search finds resources of: those that its filters name, and that its reader may see. */
export class StationMatch {
  /** Equal for matches of the same stations. */
  readonly key: string;
  readonly isEverything: boolean;
  readonly #filters: StationFilters;
  readonly #scopes: readonly Scope[];
  readonly #isWithin: (address: StationAddress) => boolean;
  /** By the key of a station. */
  readonly #answers = new Map<string, boolean>();
  readonly #wider = new Map<keyof StationFilters, StationMatch>();

  constructor(filters: StationFilters, scopes: readonly Scope[]) {
    this.#filters = filters;
    this.#scopes = scopes;
    this.#isWithin = stationMatcher(filters);
    this.key = JSON.stringify([filters, scopes.map(({ text }) => text)]);
    const hasFilters = Object.values(filters).some((wanted) => wanted !== undefined);
    this.isEverything = !hasFilters && scopes.some(({ parts }) => parts.length === 0);
  }

  isWanted(address: StationAddress): boolean {
    return this.isWantedKey(stationKey(address));
  }

  /** Asked again and again, for thousands of stations. */
  isWantedKey(key: string): boolean {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const address = parseStationKey(key);
    const isWanted = this.#isWithin(address) && this.#scopes.some((scope) => isInScope(scope, address));
    if (this.#answers.size >= maxAnswers) this.#answers.clear();
    this.#answers.set(key, isWanted);
    return isWanted;
  }

  /** The same without the filter that a facet stands for. What is out of scope stays out. */
  without(facet: Facet): StationMatch {
    const field = fieldOf[facet as StationFacet];
    if (field === undefined || this.#filters[field] === undefined) return this;
    const widen = () => new StationMatch({ ...this.#filters, [field]: undefined }, this.#scopes);
    return this.#wider.getOrInsertComputed(field, widen);
  }
}

const maxAnswers = 100_000;

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
