import type { ListQuery, Resource } from '@roster/contract';
import type { Counts, Summary } from '../../index/summary.ts';
import { RenderedResources } from '../../port/rendered-resources.ts';
import type { Feed, Head } from '../../port/store.ts';

/** A part of a feed before it is packed. */
export interface PlainChunk {
  readonly put: readonly Resource[];
  readonly removed: readonly string[];
}

/** What a station is, said as plainly as possible: a map that is filtered and sorted for every question. */
export class NaiveStation {
  readonly resources = new Map<string, Resource>();

  apply(part: PlainChunk): void {
    for (const id of part.removed) this.resources.delete(id);
    for (const resource of part.put) this.resources.set(resource.resourceId, resource);
  }

  list(query: ListQuery): Resource[] {
    return [...this.resources.values()]
      .filter((resource) => matches(resource, query))
      .sort((a, b) => compare(a.displayName, b.displayName) || compare(a.resourceId, b.resourceId));
  }

  summarise(query: ListQuery): Summary {
    const found = this.list(query);
    const withType = (typeKey: string) => found.filter((resource) => resource.typeKey === typeKey);
    const withProduct = (product: string) => found.filter((resource) => resource.product === product);
    return {
      ...count(found),
      byType: distinct(found, 'typeKey').map((typeKey) => ({ typeKey, ...count(withType(typeKey)) })),
      byProduct: distinct(found, 'product').map((product) => ({ product, ...count(withProduct(product)) })),
    };
  }
}

function count(resources: readonly Resource[]): Counts {
  const alertable = resources.filter((resource) => resource.alertable);
  const inState = (state: string) => resources.filter((resource) => resource.state === state).length;
  return {
    total: resources.length,
    alertable: alertable.length,
    covered: alertable.filter((resource) => resource.alertRulesCount > 0).length,
    uncovered: alertable.filter((resource) => resource.alertRulesCount === 0).length,
    byState: Object.fromEntries(distinct(resources, 'state').map((state) => [state, inState(state)])),
  };
}

function distinct(resources: readonly Resource[], field: 'typeKey' | 'product' | 'state'): string[] {
  return [...new Set(resources.map((resource) => resource[field]))].sort(compare);
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

export function feedOf(head: Head, chunks: readonly PlainChunk[]): Feed {
  return {
    head,
    size: 0,
    chunks: (async function* () {
      for (const { put, removed } of chunks) yield { put: RenderedResources.of(put), removed };
    })(),
  };
}
