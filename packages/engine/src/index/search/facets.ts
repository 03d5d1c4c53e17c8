import { type Facet, inListOrder, labelFamily, limits } from '@roster/contract';
import type { Attributes } from '../../port/rendered-resources.ts';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { Selection } from '../lists/selection.ts';
import type { AttributeSets } from '../rows/attribute-sets.ts';
import type { Bucket } from '../rows/buckets.ts';
import { rowOf, segmentBits } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import { searchSnapshot } from './search.ts';
import { bucketFilters, hasRowFilters, type IndexQuery, isWantedByAll, labelValue } from './search-filter.ts';
import { stationValue } from './station-match.ts';

export interface FacetCounts {
  /** Most frequent first. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** How many more values there are. */
  readonly otherValues: number;
}

const slotsAtOnce = 1024;
const maxKept = 16;

/** By snapshot, then by query: counting may read the whole station. */
const keptOf = new WeakMap<Snapshot, Map<string, Promise<Map<Facet, FacetCounts>>>>();

/** Counts the values of each facet among the resources that match all other filters. */
export function countFacets(
  snapshot: Snapshot,
  query: IndexQuery,
  createSlicer: () => TimeSlicer,
): Promise<Map<Facet, FacetCounts>> {
  const kept = keptOf.getOrInsertComputed(snapshot, () => new Map());
  const { page: _, order: __, labels, ...rest } = query;
  const key = JSON.stringify([rest, [...labels]]);
  const known = kept.get(key);
  // Whoever counts may leave; then the next one counts.
  if (known !== undefined) return known.catch(() => countAll(snapshot, query, createSlicer()));
  const counting = countAll(snapshot, query, createSlicer());
  if (kept.size >= maxKept) kept.clear();
  kept.set(key, counting);
  counting.catch(() => kept.delete(key));
  return counting;
}

async function countAll(
  snapshot: Snapshot,
  query: IndexQuery,
  slicer: TimeSlicer,
): Promise<Map<Facet, FacetCounts>> {
  const counted = new Map<Facet, FacetCounts>();
  for (const facet of query.facets) {
    counted.set(facet, await mostFrequent(await countValues(snapshot, query, facet, slicer), slicer));
  }
  return counted;
}

/** How many resources that match all other filters have each value of a facet. */
export async function countValues(
  snapshot: Snapshot,
  query: IndexQuery,
  facet: Facet,
  slicer: TimeSlicer,
): Promise<ValueCounts> {
  const others = withoutFilter(query, facet);
  const isByList = isOfBuckets(facet) && others.resourceIds === undefined && !hasRowFilters(others);
  if (isByList) return countByLists(snapshot, others, facet);
  return countOneByOne(snapshot, others, facet, slicer);
}

/** The search without the filter that a facet stands for. */
function withoutFilter(query: IndexQuery, facet: Facet): IndexQuery {
  switch (facet) {
    case 'state':
      return { ...query, states: undefined };
    case 'resource_type':
      return { ...query, types: undefined };
    case 'product':
      return { ...query, product: undefined };
    case 'covered':
      return { ...query, covered: undefined };
    case 'gpu_model':
      return { ...query, gpuModels: undefined };
    case 'sku':
      return { ...query, skus: undefined };
    case 'subscription':
    case 'resource_group':
    case 'zone':
    case 'station':
      return query.stations === undefined ? query : { ...query, stations: query.stations.without(facet) };
    default:
      return {
        ...query,
        labels: new Map([...query.labels].filter(([key]) => labelFamily + key !== facet)),
      };
  }
}

function isOfBuckets(facet: Facet): boolean {
  return ['state', 'resource_type', 'product', 'covered'].includes(facet);
}

export type ValueCounts = Map<string, number>;

/** The lists of the snapshot know how many resources each bucket has. */
function countByLists(snapshot: Snapshot, query: IndexQuery, facet: Facet): ValueCounts {
  const filters = bucketFilters(query);
  const prefix = query.displayNamePrefix;
  const range = prefix === undefined ? undefined : snapshot.prefixRange(prefix);
  const counts: ValueCounts = new Map();
  for (const bucket of snapshot.buckets.values()) {
    const value = bucketValue(facet, bucket);
    if (value === undefined || !isWantedByAll(filters, bucket)) continue;
    const list = snapshot.list(bucket.ownList);
    const count = range === undefined ? list.size : list.rankOf(range.endKey) - list.rankOf(range.firstKey);
    if (count > 0) counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}

async function countOneByOne(
  snapshot: Snapshot,
  query: IndexQuery,
  facet: Facet,
  slicer: TimeSlicer,
): Promise<ValueCounts> {
  const selection = await searchSnapshot(snapshot, inListOrder(query), () => slicer);
  const { numbers, values } = isOfBuckets(facet)
    ? numberBuckets(snapshot, facet)
    : await numberAttributes(snapshot.attributes, facet, slicer);
  const column = isOfBuckets(facet) ? 'buckets' : 'attributes';
  const totals = await tally(snapshot, selection, { column, numbers, size: values.length }, slicer);
  const counts: ValueCounts = new Map();
  for (const [at, value] of values.entries()) {
    if (totals[at]! > 0) counts.set(value, totals[at]!);
    if (at % slotsAtOnce === 0 && slicer.isDue) await slicer.pause();
  }
  return counts;
}

interface NumberedValues {
  /** The number of its value, by bucket or attributes; -1 for none. */
  readonly numbers: readonly number[];
  readonly values: readonly string[];
}

async function tally(
  { segments }: Snapshot,
  selection: Selection,
  { column, numbers, size }: { column: 'buckets' | 'attributes'; numbers: readonly number[]; size: number },
  slicer: TimeSlicer,
): Promise<Uint32Array> {
  const totals = new Uint32Array(size);
  const slots = new Uint32Array(slotsAtOnce);
  for (let offset = 0; offset < selection.total; offset += slotsAtOnce) {
    const read = selection.read(offset, slotsAtOnce, slots);
    for (let at = 0; at < read; at++) {
      const slot = slots[at]!;
      const number = numbers[segments[slot >>> segmentBits]![column][rowOf(slot)]!]!;
      if (number >= 0) totals[number]!++;
    }
    if (slicer.isDue) await slicer.pause();
  }
  return totals;
}

function numberBuckets({ buckets }: Snapshot, facet: Facet): NumberedValues {
  const numbering = new Numbering();
  for (const bucket of buckets.values()) numbering.add(bucketValue(facet, bucket));
  return numbering;
}

const numberings = new WeakMap<AttributeSets, Map<Facet, Numbering>>();

/** Kept, because there may be as many combinations of attributes as resources. */
async function numberAttributes(
  attributes: AttributeSets,
  facet: Facet,
  slicer: TimeSlicer,
): Promise<NumberedValues> {
  const kept = numberings.getOrInsertComputed(attributes, () => new Map());
  if (kept.size > limits.maxFacets) kept.clear();
  const numbering = kept.getOrInsertComputed(facet, () => new Numbering());
  // Others may go on with it during a pause.
  while (numbering.numbers.length < attributes.size) {
    numbering.add(attributeValue(facet, attributes.at(numbering.numbers.length)));
    if (slicer.isDue) await slicer.pause();
  }
  return numbering;
}

class Numbering implements NumberedValues {
  readonly numbers: number[] = [];
  readonly values: string[] = [];
  readonly #known = new Map<string, number>();

  add(value: string | undefined): void {
    if (value === undefined) this.numbers.push(-1);
    else this.numbers.push(this.#known.getOrInsertComputed(value, () => this.values.push(value) - 1));
  }
}

/** Sorts in pieces, and keeps the most frequent of each: there may be as many values as resources. */
export async function mostFrequent(counts: ValueCounts, slicer: TimeSlicer): Promise<FacetCounts> {
  let most: [value: string, count: number][] = [];
  const keep = () => {
    most = most
      .sort(([a, more], [b, fewer]) => fewer - more || (a < b ? -1 : 1))
      .slice(0, limits.maxFacetValues);
  };
  for (const each of counts) {
    if (most.push(each) < 4 * limits.maxFacetValues) continue;
    keep();
    if (slicer.isDue) await slicer.pause();
  }
  keep();
  const values = most.map(([value, count]) => ({ value, count }));
  return { values, otherValues: counts.size - values.length };
}

/** Undefined for what no filter can ask for. */
function bucketValue(
  facet: Facet,
  { state, typeKey, product, alertable, hasRules }: Bucket,
): string | undefined {
  switch (facet) {
    case 'state':
      return state;
    case 'resource_type':
      return typeKey;
    case 'product':
      return product || undefined;
    default:
      return alertable ? String(hasRules) : undefined;
  }
}

function attributeValue(facet: Facet, { gpuModel, sku, labels, station }: Attributes): string | undefined {
  if (facet === 'gpu_model') return gpuModel || undefined;
  if (facet === 'sku') return sku || undefined;
  if (!facet.startsWith(labelFamily)) return stationValue(facet, station!);
  return labelValue(labels, facet.slice(labelFamily.length)) || undefined;
}
