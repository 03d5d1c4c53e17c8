import type { ListQuery, Resource } from '@roster/contract';

export interface ListAnswer {
  readonly total: number;
  readonly ids: readonly string[];
}

/** The order of the list: display name, then id, by UTF-16 code units. */
export function sortForListing(resources: readonly Resource[]): Resource[] {
  return resources.toSorted((a, b) => {
    if (a.displayName !== b.displayName) return a.displayName < b.displayName ? -1 : 1;
    return a.resourceId < b.resourceId ? -1 : 1;
  });
}

/** The correct answer, by a plain scan. `sorted` comes from `sortForListing`. */
export function naiveList(sorted: readonly Resource[], query: ListQuery): ListAnswer {
  const ids = query.resourceIds && new Set(query.resourceIds);
  const types = query.types && new Set(query.types);
  const prefix = query.displayNamePrefix ?? '';
  const matches = sorted.filter(
    (resource) =>
      (ids === undefined || ids.has(resource.resourceId)) &&
      (types === undefined || types.has(resource.typeKey)) &&
      (query.product === undefined || resource.product === query.product) &&
      (!query.alertableOnly || resource.alertable) &&
      resource.displayName.startsWith(prefix),
  );
  const { offset, size } = query.page ?? { offset: 0, size: matches.length };
  return {
    total: matches.length,
    ids: matches.slice(offset, offset + size).map((resource) => resource.resourceId),
  };
}
