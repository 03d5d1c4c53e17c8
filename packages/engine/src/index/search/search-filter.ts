import {
  anyTime,
  foldText,
  parseLabels,
  type SearchFilters,
  type SearchQuery,
  type TimeRange,
} from '@roster/contract';
import type { Attributes } from '../../port/rendered-resources.ts';
import type { Bucket } from '../rows/buckets.ts';
import { resourceIdIn } from '../rows/row-id.ts';
import { displayNameOf, idOf, rowOf, segmentBits, segmentOf } from '../rows/segment.ts';
import type { Snapshot } from '../snapshot.ts';
import type { StationMatch } from './station-match.ts';
import { nameAt } from './text-matches.ts';

/** The filters of a search of one station or, with `stations`, of rows of several. */
export interface IndexFilters extends SearchFilters {
  readonly stations?: StationMatch;
}

export interface IndexQuery extends SearchQuery {
  readonly stations?: StationMatch;
}

/** The value of one stored label. In stored labels, quotes within texts are escaped, so a key is found exactly. */
export function labelValue(labels: string, key: string): string | undefined {
  if (!labels.includes(`"${key}":`)) return undefined;
  return parseLabels(labels)[key];
}

/** A filter on what many resources share. */
type SharedFilter<Shared> = (shared: Shared) => boolean;

/** The filters of a search on buckets: type, product, state and what else is counted. */
export function bucketFilters(filters: SearchFilters): SharedFilter<Bucket>[] {
  const { types, product, alertableOnly, states, covered, alertable } = filters;
  const found: SharedFilter<Bucket>[] = [];
  if (types !== undefined) {
    const wanted = new Set(types);
    found.push(({ typeKey }) => wanted.has(typeKey));
  }
  if (product !== undefined) found.push((bucket) => bucket.product === product);
  if (alertableOnly) found.push((bucket) => bucket.alertable);
  if (alertable !== undefined) found.push((bucket) => bucket.alertable === alertable);
  if (states !== undefined) {
    const wanted = new Set(states);
    found.push(({ state }) => wanted.has(state));
  }
  if (covered !== undefined) found.push((bucket) => bucket.alertable && bucket.hasRules === covered);
  return found;
}

/** The filters of a search on attributes: SKU, GPU model, labels and station. */
function attributeFilters({ skus, gpuModels, labels, stations }: IndexFilters): SharedFilter<Attributes>[] {
  const found: SharedFilter<Attributes>[] = [];
  if (skus !== undefined) {
    const wanted = new Set(skus);
    found.push(({ sku }) => wanted.has(sku));
  }
  if (gpuModels !== undefined) {
    const wanted = new Set(gpuModels);
    found.push(({ gpuModel }) => wanted.has(gpuModel));
  }
  for (const [key, values] of labels) {
    const wanted = new Set<string | undefined>(values);
    found.push((set) => wanted.has(labelValue(set.labels, key)));
  }
  if (stations !== undefined && !stations.isEverything) {
    found.push(({ station }) => stations.isWantedKey(station!));
  }
  return found;
}

export function isWantedByAll<Shared>(filters: readonly SharedFilter<Shared>[], shared: Shared): boolean {
  return filters.every((isWanted) => isWanted(shared));
}

/** Whether a resource matches what neither its bucket nor a range of display names decides. */
export type RowFilter = (slot: number) => boolean;

/** All filters but `text`. Undefined when every row matches. */
export function rowFilter({ segments, attributes }: Snapshot, filters: IndexFilters): RowFilter | undefined {
  const checks: RowFilter[] = [];
  const shared = attributeFilters(filters);
  if (shared.length > 0) {
    const isWanted = remembered(attributes.size, (number) => isWantedByAll(shared, attributes.at(number)));
    checks.push((slot) => isWanted(segments[slot >>> segmentBits]!.attributes[rowOf(slot)]!));
  }
  if (filters.stations !== undefined && filters.resourceIds !== undefined) {
    const wanted = new Set(filters.resourceIds);
    checks.push((slot) => wanted.has(resourceIdIn(idOf(segments, slot))));
  }
  if (isBounded(filters.createdMs)) {
    const { from, to } = filters.createdMs;
    checks.push((slot) => {
      const ms = segments[slot >>> segmentBits]!.createdMs[rowOf(slot)]!;
      return ms >= from && ms < to;
    });
  }
  if (isBounded(filters.stateSinceMs)) {
    const { from, to } = filters.stateSinceMs;
    checks.push((slot) => {
      const ms = segments[slot >>> segmentBits]!.stateSinceMs[rowOf(slot)]!;
      return ms >= from && ms < to;
    });
  }
  const [first, second] = checks;
  if (checks.length < 2) return first;
  if (checks.length === 2) return (slot) => first!(slot) && second!(slot);
  return (slot) => checks.every((isMatch) => isMatch(slot));
}

/** Asks once for each number. */
function remembered(count: number, isTrue: (number: number) => boolean): (number: number) => boolean {
  const answers = new Uint8Array(count);
  return (number) => {
    if (answers[number] === 0) answers[number] = isTrue(number) ? 1 : 2;
    return answers[number] === 1;
  };
}

export function hasRowFilters(filters: IndexFilters): boolean {
  const { text, createdMs, stateSinceMs, stations, resourceIds } = filters;
  return (
    text !== undefined ||
    (stations !== undefined && resourceIds !== undefined) ||
    isBounded(createdMs) ||
    isBounded(stateSinceMs) ||
    attributeFilters(filters).length > 0
  );
}

function isBounded({ from, to }: TimeRange): boolean {
  return from !== anyTime.from || to !== anyTime.to;
}

/** For few resources, without an index of their texts. */
export function hasText({ segments }: Snapshot, slot: number, folded: string): boolean {
  return (
    foldText(displayNameOf(segments, slot)).includes(folded) ||
    foldText(idOf(segments, slot)).includes(folded) ||
    foldText(nameAt(segmentOf(segments, slot), rowOf(slot))).includes(folded)
  );
}
