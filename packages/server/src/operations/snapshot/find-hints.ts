import {
  nearestName,
  nearestState,
  parseLabels,
  quote,
  type SearchFilters,
  usualStates,
} from '@roster/contract';
import type { Snapshot } from '@roster/engine';

type HintedFilters = Partial<
  Pick<SearchFilters, 'types' | 'product' | 'labels' | 'states' | 'gpuModels' | 'skus'>
>;

/** What may have been meant by filters that name what the station does not have. */
export function findHints(
  snapshot: Snapshot,
  { types, product, labels, states, gpuModels, skus }: HintedFilters,
): string[] {
  const buckets = () =>
    [...snapshot.buckets.values()].filter(({ ownList }) => snapshot.list(ownList).size > 0);
  return [
    ...hintsFor('resource_type', types ?? [], () => buckets().map(({ typeKey }) => typeKey)),
    ...hintsFor('product', product === undefined ? [] : [product], () =>
      buckets().map((each) => each.product),
    ),
    ...hintsFor('label key', [...(labels?.keys() ?? [])], () => labelKeysOf(snapshot)),
    ...hintsFor('gpu_model', gpuModels ?? [], () => attributesOf(snapshot)?.map(({ gpuModel }) => gpuModel)),
    ...hintsFor('sku', skus ?? [], () => attributesOf(snapshot)?.map(({ sku }) => sku)),
    // That nothing fires is no mistake.
    ...hintsFor('state', states ?? [], () => [...usualStates, ...buckets().map(({ state }) => state)]),
  ];
}

const maxSets = 1000;

/** Undefined where there are too many combinations to look at. */
function attributesOf({ attributes }: Snapshot) {
  return attributes.size > maxSets ? undefined : [...attributes.values()];
}

function labelKeysOf(snapshot: Snapshot): string[] | undefined {
  return attributesOf(snapshot)?.flatMap(({ labels }) => Object.keys(parseLabels(labels)));
}

function hintsFor(
  what: string,
  given: readonly string[],
  known: () => readonly string[] | undefined,
): string[] {
  const names = given.length === 0 ? undefined : new Set(known());
  if (names === undefined || names.size === 0 || names.size > maxSets) return [];
  const unknown = given.filter((name) => !names.has(name));
  const meant = [...names].filter((each) => each !== '');
  const nearest = what === 'state' ? nearestState : nearestName;
  return unknown
    .slice(0, 5)
    .map(
      (name) => `nothing in the station has the ${what} ${quote(name)}${didYouMean(nearest(name, meant))}`,
    );
}

/** The end of a hint. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
}
