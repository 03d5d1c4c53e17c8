import {
  type Facet,
  parseStationKey,
  type SearchQuery,
  type StationAddress,
  stationFacetFields,
  stationKey,
} from '@roster/contract';
import { type Selection, SlotSelection } from '../index/lists/selection.ts';
import { attributesOf } from '../index/rows/segment.ts';
import { countValues, type ValueCounts } from '../index/search/facets.ts';
import { searchSnapshot } from '../index/search/search.ts';
import { type StationMatch, stationValue } from '../index/search/station-match.ts';
import type { Snapshot } from '../index/snapshot.ts';
import type { TimeSlicer } from '../scheduling/time-slicer.ts';

/** What a search everywhere asks each snapshot. */
export interface AskedOfEach {
  readonly query: SearchQuery;
  readonly match: StationMatch;
  readonly slicer: TimeSlicer;
}

/** One of the snapshots that together have all stations. */
export interface SearchedSnapshot {
  readonly snapshot: Snapshot;
  find(asked: AskedOfEach): Promise<Selection>;
  count(facet: Facet, asked: AskedOfEach): Promise<ValueCounts>;
  stationOf(slot: number): StationAddress;
}

/** Resources of many stations, each with the key of its own. */
export class ManyStations implements SearchedSnapshot {
  readonly snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.snapshot = snapshot;
  }

  async find({ query, match, slicer }: AskedOfEach): Promise<Selection> {
    return searchSnapshot(this.snapshot, { ...query, stations: match }, () => slicer);
  }

  count(facet: Facet, { query, match, slicer }: AskedOfEach): Promise<ValueCounts> {
    return countValues(this.snapshot, { ...query, stations: match }, facet, slicer);
  }

  stationOf(slot: number): StationAddress {
    const { segments, attributes } = this.snapshot;
    return parseStationKey(attributes.at(attributesOf(segments, slot)).station!);
  }
}

/** A station by itself. */
export class OneStation implements SearchedSnapshot {
  readonly snapshot: Snapshot;
  readonly #address: StationAddress;

  constructor(snapshot: Snapshot, address: StationAddress) {
    this.snapshot = snapshot;
    this.#address = address;
  }

  async find({ query, match, slicer }: AskedOfEach): Promise<Selection> {
    if (!match.isWanted(this.#address)) return new SlotSelection([]);
    return searchSnapshot(this.snapshot, query, () => slicer);
  }

  async count(facet: Facet, asked: AskedOfEach): Promise<ValueCounts> {
    const match = asked.match.without(facet);
    if (!match.isWanted(this.#address)) return new Map();
    if (!(stationFacetFields as readonly string[]).includes(facet)) {
      return countValues(this.snapshot, asked.query, facet, asked.slicer);
    }
    const { total } = await this.find({ ...asked, match });
    return new Map(total === 0 ? [] : [[stationValue(facet, stationKey(this.#address))!, total]]);
  }

  stationOf(): StationAddress {
    return this.#address;
  }
}
