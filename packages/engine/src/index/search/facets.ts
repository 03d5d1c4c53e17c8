import { everything, type Facet, labelFamily, limits, parseLabels, type SearchQuery } from '@roster/contract';
import type { Attributes } from '../../port/rendered-resources.ts';
import type { TimeSlicer } from '../../scheduling/time-slicer.ts';
import type { ChangeLog } from '../lists/change-log.ts';
import type { Selection } from '../lists/selection.ts';
import type { Bucket } from '../rows/buckets.ts';
import { attributesOf, bucketOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import {
  attributeFilters,
  bucketFilters,
  hasText,
  isBounded,
  type RowFilter,
  rowFilter,
} from './search-filter.ts';
import { TextMatches } from './text-matches.ts';

export interface FacetCounts {
  /** Most frequent first. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** How many more values there are. */
  readonly otherValues: number;
}

/** How many resources have each bucket and attributes, which decide all facets. */
type Histogram = Map<number, number>;

interface KeptHistogram {
  readonly position: number;
  readonly counts: Histogram;
}

/** Above this many combinations, counting again takes less than keeping the counts. */
const maxKept = 65_536;
const slotsAtOnce = 4096;
const attributesSpace = 2 ** 32;

const keptOf = new WeakMap<ChangeLog, KeptHistogram>();

/** Counts the values of each facet among the resources that match all other filters. */
export async function countFacets(
  snapshot: Snapshot,
  query: SearchQuery,
  slicer: TimeSlicer,
): Promise<Map<Facet, FacetCounts>> {
  const counts = hasOwnCandidates(query)
    ? await countCandidates(snapshot, query, slicer)
    : await countAll(snapshot, slicer);
  const tally = new FacetTally(snapshot, query);
  let steps = 0;
  for (const [combination, count] of counts) {
    tally.add(Math.floor(combination / attributesSpace), combination % attributesSpace, count);
    if (++steps % 1024 === 0 && slicer.isDue) await slicer.pause();
  }
  return tally.finish();
}

/** Whether filters restrict it that no facet counts. */
function hasOwnCandidates({
  resourceIds,
  displayNamePrefix,
  text,
  createdMs,
  stateSinceMs,
}: SearchQuery): boolean {
  return (
    resourceIds !== undefined ||
    displayNamePrefix !== undefined ||
    text !== undefined ||
    isBounded(createdMs) ||
    isBounded(stateSinceMs)
  );
}

async function countCandidates(
  snapshot: Snapshot,
  query: SearchQuery,
  slicer: TimeSlicer,
): Promise<Histogram> {
  const { resourceIds, displayNamePrefix, text } = query;
  const withoutFacets = { ...query, skus: undefined, gpuModels: undefined, labels: new Map() };
  const candidates = snapshot.select({ ...everything, resourceIds, displayNamePrefix });
  const isFew = resourceIds !== undefined;
  const matches =
    text === undefined || isFew ? undefined : await TextMatches.find(snapshot.segments, text, slicer);
  const isMatch = rowFilter(snapshot, withoutFacets, matches);
  const hasItsText: RowFilter | undefined =
    isFew && text !== undefined ? (slot) => hasText(snapshot, slot, text) : undefined;
  return count(
    snapshot,
    candidates,
    (slot) => (isMatch?.(slot) ?? true) && (hasItsText?.(slot) ?? true),
    slicer,
  );
}

async function countAll(snapshot: Snapshot, slicer: TimeSlicer): Promise<Histogram> {
  const { log, logPosition } = snapshot;
  const kept = keptOf.get(log);
  if (kept?.position === logPosition) return kept.counts;
  const changes = kept && log.between(kept.position, logPosition);
  let counts: Histogram;
  if (kept === undefined || changes === undefined) {
    counts = await count(snapshot, snapshot.select(everything), undefined, slicer);
  } else {
    counts = new Map(kept.counts);
    for (const slot of changes.removed) addTo(counts, combinationOf(snapshot, slot), -1);
    for (const slot of changes.added) addTo(counts, combinationOf(snapshot, slot), 1);
  }
  const isNewer = (keptOf.get(log)?.position ?? -1) < logPosition;
  if (isNewer && counts.size <= maxKept) keptOf.set(log, { position: logPosition, counts });
  return counts;
}

async function count(
  snapshot: Snapshot,
  candidates: Selection,
  isMatch: RowFilter | undefined,
  slicer: TimeSlicer,
): Promise<Histogram> {
  const counts: Histogram = new Map();
  const slots = new Uint32Array(slotsAtOnce);
  for (let offset = 0; offset < candidates.total; offset += slotsAtOnce) {
    const read = candidates.read(offset, slotsAtOnce, slots);
    for (let at = 0; at < read; at++) {
      const slot = slots[at]!;
      if (isMatch === undefined || isMatch(slot)) addTo(counts, combinationOf(snapshot, slot), 1);
    }
    if (slicer.isDue) await slicer.pause();
  }
  return counts;
}

function combinationOf({ segments }: Snapshot, slot: number): number {
  return bucketOf(segments, slot) * attributesSpace + attributesOf(segments, slot);
}

function addTo(counts: Histogram, combination: number, count: number): void {
  const sum = (counts.get(combination) ?? 0) + count;
  if (sum === 0) counts.delete(combination);
  else counts.set(combination, sum);
}

/** The facet whose filter alone excludes something; undefined when none does, null when several do. */
type Excluding = string | undefined | null;

class FacetTally {
  readonly #snapshot: Snapshot;
  readonly #facets: readonly Facet[];
  readonly #counts: Map<string, number>[];
  readonly #byBucket: Excluding[];
  readonly #attributeFilters: ReturnType<typeof attributeFilters>;
  /** By number; only those that were met. */
  readonly #byAttributes: Excluding[] = [];

  constructor(snapshot: Snapshot, query: SearchQuery) {
    this.#snapshot = snapshot;
    this.#facets = query.facets;
    this.#counts = query.facets.map(() => new Map());
    this.#byBucket = Array.from(snapshot.buckets.values(), (bucket) =>
      excluding(bucketFilters(query), bucket),
    );
    this.#attributeFilters = attributeFilters(query);
  }

  add(bucketNumber: number, attributesNumber: number, count: number): void {
    const byBucket = this.#byBucket[bucketNumber];
    const byAttributes = this.#excludingAttributes(attributesNumber);
    if (byBucket === null || byAttributes === null) return;
    if (byBucket !== undefined && byAttributes !== undefined) return;
    const only = byBucket ?? byAttributes;
    const bucket = this.#snapshot.buckets.at(bucketNumber);
    const attributes = this.#snapshot.attributes.at(attributesNumber);
    for (const [at, facet] of this.#facets.entries()) {
      if (only !== undefined && only !== facet) continue;
      const value = facetValue(facet, bucket, attributes);
      const counts = this.#counts[at]!;
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }

  #excludingAttributes(number: number): Excluding {
    if (!(number in this.#byAttributes)) {
      this.#byAttributes[number] = excluding(this.#attributeFilters, this.#snapshot.attributes.at(number));
    }
    return this.#byAttributes[number];
  }

  finish(): Map<Facet, FacetCounts> {
    return new Map(
      this.#facets.map((facet, at) => {
        const sorted = [...this.#counts[at]!].sort(
          ([a, most], [b, fewer]) => fewer - most || (a < b ? -1 : 1),
        );
        const values = sorted.slice(0, limits.maxFacetValues).map(([value, count]) => ({ value, count }));
        return [facet, { values, otherValues: sorted.length - values.length }];
      }),
    );
  }
}

function excluding<Shared>(
  filters: readonly { facet: string; isWanted: (shared: Shared) => boolean }[],
  shared: Shared,
): Excluding {
  const failed = new Set<string>();
  for (const { facet, isWanted } of filters) if (!isWanted(shared)) failed.add(facet);
  if (failed.size > 1) return null;
  return [...failed][0];
}

/** Undefined for what no filter can ask for. */
function facetValue(facet: Facet, bucket: Bucket, attributes: Attributes): string | undefined {
  switch (facet) {
    case 'state':
      return bucket.state;
    case 'resource_type':
      return bucket.typeKey;
    case 'product':
      return bucket.product || undefined;
    case 'covered':
      return bucket.alertable ? String(bucket.hasRules) : undefined;
    case 'gpu_model':
      return attributes.gpuModel || undefined;
    case 'sku':
      return attributes.sku || undefined;
    default: {
      const labels = parseLabels(attributes.labels);
      const key = facet.slice(labelFamily.length);
      return Object.hasOwn(labels, key) ? labels[key] || undefined : undefined;
    }
  }
}
