import type { FacetCounts } from '@roster/engine';

export function viewFacets(facets: ReadonlyMap<string, FacetCounts>): object {
  const views = Array.from(facets, ([facet, { values, otherValues }]) => [
    facet,
    { values, other_values: otherValues },
  ]);
  return Object.fromEntries(views);
}
