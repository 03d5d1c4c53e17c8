import type { ListQuery, Resource } from '@roster/contract';
import type { ChangeFeed, ChangePart, Head } from '../store.ts';

/** What a station is, said as plainly as possible: a map that is filtered and sorted for every question. */
export class NaiveStation {
  readonly resources = new Map<string, Resource>();

  apply(part: ChangePart): void {
    for (const id of part.removed) this.resources.delete(id);
    for (const resource of part.put) this.resources.set(resource.resourceId, resource);
  }

  list(query: ListQuery): Resource[] {
    return [...this.resources.values()]
      .filter((resource) => matches(resource, query))
      .sort((a, b) => compare(a.displayName, b.displayName) || compare(a.resourceId, b.resourceId));
  }
}

function matches(resource: Resource, query: ListQuery): boolean {
  return (
    (query.resourceIds?.includes(resource.resourceId) ?? true) &&
    (query.types?.includes(resource.typeKey) ?? true) &&
    (query.product === undefined || resource.product === query.product) &&
    (query.displayNamePrefix === undefined || resource.displayName.startsWith(query.displayNamePrefix)) &&
    (!query.alertableOnly || resource.alertable)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function feedOf(head: Head, parts: readonly ChangePart[]): ChangeFeed {
  return {
    head,
    parts: (async function* () {
      yield* parts;
    })(),
  };
}
