import { nearestName, parseLabels, quote, type SearchFilters } from '@roster/contract';
import type { Snapshot } from '@roster/engine';

/** What may have been meant by filters that name a type, product or label key that the station does not have. */
export function findHints(
  snapshot: Snapshot,
  { types, product, labels }: Pick<SearchFilters, 'types' | 'product' | 'labels'>,
): string[] {
  const buckets = () => [...snapshot.buckets.values()];
  return [
    ...hintsFor('resource_type', types ?? [], () => buckets().map(({ typeKey }) => typeKey)),
    ...hintsFor('product', product === undefined ? [] : [product], () =>
      buckets().map((each) => each.product),
    ),
    ...hintsFor('label key', [...labels.keys()], () => labelKeysOf(snapshot)),
  ];
}

const maxSets = 1000;

/** All keys, or those of the first combinations where there are many. */
function labelKeysOf({ attributes }: Snapshot): string[] {
  const keys = new Set<string>();
  let sets = 0;
  for (const { labels } of attributes.values()) {
    for (const key of Object.keys(parseLabels(labels))) keys.add(key);
    if (++sets === maxSets) break;
  }
  return [...keys];
}

function hintsFor(what: string, given: readonly string[], known: () => readonly string[]): string[] {
  if (given.length === 0) return [];
  const names = new Set(known());
  const unknown = given.filter((name) => !names.has(name));
  return unknown.slice(0, 5).map((name) => {
    const nearest = nearestName(
      name,
      [...names].filter((each) => each !== ''),
    );
    const meant = nearest === undefined ? '' : `; did you mean ${quote(nearest)}?`;
    return `nothing in the station has the ${what} ${quote(name)}${meant}`;
  });
}
