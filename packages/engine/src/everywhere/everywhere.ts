import {
  type EverywhereQuery,
  type Facet,
  RosterError,
  type Scope,
  type StationAddress,
  type StationFilters,
} from '@roster/contract';
import type { LabelOf } from '../index/rows/buckets.ts';
import { type FacetCounts, mostFrequent, type ValueCounts } from '../index/search/facets.ts';
import { StationMatch } from '../index/search/station-match.ts';
import type { Snapshot } from '../index/snapshot.ts';
import { sizeOfPart } from '../port/station-part.ts';
import type { MaybePromise, Station, StationPart, Store } from '../port/store.ts';
import type { TimeSlicer } from '../scheduling/time-slicer.ts';
import { countsStates, partFor } from './part-for.ts';
import { PartView } from './part-view.ts';
import { type FoundIn, type FoundRow, readMerged } from './read-merged.ts';
import { type AskedOfEach, ManyStations, OneStation, type SearchedSnapshot } from './searched-snapshot.ts';

export interface EverywhereOptions {
  readonly store: Store;
  readonly labelOf: LabelOf;
  /** Reads a station that is too large to be held together with others. */
  readonly read: (address: StationAddress, reader: string) => MaybePromise<Snapshot>;
  /** How many resources a search may look at. */
  readonly maxResources: number;
  /** Larger stations are searched by themselves, as they are in memory for their own readers. 20 000 by default. */
  readonly maxHeldSize?: number;
}

export interface EverywhereSearch {
  readonly query: EverywhereQuery;
  /** What the reader may see. */
  readonly scopes: readonly Scope[];
  readonly reader: string;
  readonly slicer: TimeSlicer;
}

export interface FoundEverywhere {
  readonly rows: readonly FoundRow[];
  readonly total: number;
  readonly facets: ReadonlyMap<Facet, FacetCounts> | undefined;
}

const maxMatches = 100;

/** Searches all stations at once. */
export class Everywhere {
  readonly #options: EverywhereOptions;
  readonly #views = new Map<StationPart, PartView>();
  readonly #matches = new Map<string, StationMatch>();
  readonly #matching = new WeakMap<readonly Station[], Map<string, readonly Station[]>>();
  #lastSearchAt = Number.NEGATIVE_INFINITY;

  constructor(options: EverywhereOptions) {
    this.#options = options;
  }

  get estimatedBytes(): number {
    let bytes = 0;
    for (const view of this.#views.values()) bytes += view.estimatedBytes;
    return bytes;
  }

  /** Drops what it holds unless there was a search since then. Returns how much memory that frees. */
  forgetUnlessUsedSince(time: number): number {
    if (this.#lastSearchAt >= time) return 0;
    const bytes = this.estimatedBytes;
    this.#views.clear();
    return bytes;
  }

  /** Every write acknowledged before this call shows. Throws `search_too_wide`. */
  async search({ query, scopes, reader, slicer }: EverywhereSearch): Promise<FoundEverywhere> {
    this.#lastSearchAt = performance.now();
    const match = this.#matchOf(query.within, scopes);
    // A facet of stations also counts those that its own filter leaves out.
    const wider = query.facets.reduce((widened, facet) => widened.without(facet), match);
    const stations = await this.#stations(wider, slicer);
    const snapshots = await this.#snapshots(partFor(query), stations, wider, reader);
    const asked = { query, match, slicer };
    const found: FoundIn[] = [];
    for (const searched of snapshots) found.push({ searched, selection: await searched.find(asked) });
    const facets = new Map<Facet, FacetCounts>();
    for (const facet of query.facets) {
      const counts =
        facet === 'state' && countsStates(query)
          ? countStates(stations.filter(({ address }) => match.isWanted(address)))
          : await countEach(snapshots, facet, asked);
      facets.set(facet, await mostFrequent(counts, slicer));
    }
    return {
      rows: await readMerged(found, { order: query.order, ...query.page }, slicer),
      total: found.reduce((sum, { selection }) => sum + selection.total, 0),
      facets: query.facets.length === 0 ? undefined : facets,
    };
  }

  /** The same object for the same match: it remembers what it has decided. */
  #matchOf(filters: StationFilters, scopes: readonly Scope[]): StationMatch {
    const match = new StationMatch(filters, scopes);
    if (this.#matches.size >= maxMatches) this.#matches.clear();
    return this.#matches.getOrInsert(match.key, match);
  }

  /** The same array as before unless something has changed. */
  async #stations(match: StationMatch, slicer: TimeSlicer): Promise<readonly Station[]> {
    const all = await this.#options.store.allStations();
    if (match.isEverything) return all;
    const byMatch = this.#matching.getOrInsertComputed(all, () => new Map());
    const known = byMatch.get(match.key);
    if (known !== undefined) return known;
    const matching: Station[] = [];
    for (const station of all) {
      if (match.isWanted(station.address)) matching.push(station);
      if (slicer.isDue) await slicer.pause();
    }
    if (byMatch.size >= maxMatches) byMatch.clear();
    byMatch.set(match.key, matching);
    return matching;
  }

  /** Snapshots that together have a part of these stations, and perhaps of others. */
  async #snapshots(
    part: StationPart,
    stations: readonly Station[],
    match: StationMatch,
    reader: string,
  ): Promise<SearchedSnapshot[]> {
    const { maxHeldSize = 20_000 } = this.#options;
    const isLarge = ({ counts }: Station) => counts.resources > maxHeldSize;
    const large = part === 'all' ? stations.filter(isLarge) : [];
    const held = large.length === 0 ? stations : stations.filter((station) => !isLarge(station));
    const view = this.#viewOf(part);
    const current = view.ifUpTo(held);
    if (current === undefined) this.#requireNarrow(part, stations);
    const together = new ManyStations(current ?? (await view.bringUpTo(held, match)));
    const alone = await Promise.all(large.map(({ address }) => this.#readAlone(address, reader)));
    return [together, ...alone.filter((station) => station !== undefined)];
  }

  /** Undefined if the station was deleted since it was listed. */
  async #readAlone(address: StationAddress, reader: string): Promise<OneStation | undefined> {
    try {
      return new OneStation(await this.#options.read(address, reader), address);
    } catch (error) {
      if (error instanceof RosterError && error.code === 'station_not_found') return undefined;
      throw error;
    }
  }

  /** A view that has grown beyond what a search may look at starts over. */
  #viewOf(part: StationPart): PartView {
    const known = this.#views.get(part);
    if (known !== undefined && known.size <= this.#options.maxResources) return known;
    const view = new PartView(part, this.#options);
    this.#views.set(part, view);
    return view;
  }

  #requireNarrow(part: StationPart, stations: readonly Station[]): void {
    const { maxResources } = this.#options;
    const resources = stations.reduce((sum, { counts }) => sum + sizeOfPart(part, counts), 0);
    if (resources <= maxResources) return;
    throw new RosterError(
      'search_too_wide',
      `this search has to look at ${resources} resources in ${stations.length} stations, and may look at ` +
        `${maxResources}; name a station, zone, resource group or subscription, or search for states other than ` +
        'inactive or for covered=false',
      { extensions: { resources, max_resources: maxResources } },
    );
  }
}

function countStates(stations: readonly Station[]): ValueCounts {
  const total: ValueCounts = new Map();
  for (const { counts } of stations) addCounts(total, Object.entries(counts.byState));
  return total;
}

async function countEach(
  snapshots: readonly SearchedSnapshot[],
  facet: Facet,
  asked: AskedOfEach,
): Promise<ValueCounts> {
  const total: ValueCounts = new Map();
  for (const searched of snapshots) addCounts(total, await searched.count(facet, asked));
  return total;
}

function addCounts(total: ValueCounts, counts: Iterable<[value: string, count: number]>): void {
  for (const [value, count] of counts) total.set(value, (total.get(value) ?? 0) + count);
}
