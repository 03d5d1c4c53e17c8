import { nearestName, parseLabels, quote, type SearchFilters, usualStates } from '@roster/contract';
import type { Snapshot } from '@roster/engine';

/** What may have been meant by filters that name a type, product, label key or state that the station does not have. */
export function findHints(
  snapshot: Snapshot,
  { types, product, labels, states }: Pick<SearchFilters, 'types' | 'product' | 'labels' | 'states'>,
): string[] {
  const buckets = () =>
    [...snapshot.buckets.values()].filter(({ ownList }) => snapshot.list(ownList).size > 0);
  return [
    ...hintsFor('resource_type', types ?? [], () => buckets().map(({ typeKey }) => typeKey)),
    ...hintsFor('product', product === undefined ? [] : [product], () =>
      buckets().map((each) => each.product),
    ),
    ...hintsFor('label key', [...labels.keys()], () => labelKeysOf(snapshot)),
    // That nothing fires is no mistake.
    ...hintsFor('state', states ?? [], () => [...usualStates, ...buckets().map(({ state }) => state)]),
  ];
}

const maxSets = 1000;

/** Undefined where there are too many combinations to look at. */
function labelKeysOf({ attributes }: Snapshot): string[] | undefined {
  if (attributes.size > maxSets) return undefined;
  const keys = new Set<string>();
  for (const { labels } of attributes.values()) {
    for (const key of Object.keys(parseLabels(labels))) keys.add(key);
  }
  return [...keys];
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
  return unknown
    .slice(0, 5)
    .map((name) => `nothing in the station has the ${what} ${quote(name)}${didYouMean(name, meant)}`);
}

/** The end of a hint. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
}
