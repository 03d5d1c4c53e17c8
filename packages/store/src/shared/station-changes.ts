import type { Resource } from '@roster/contract';
import { type FeedChunk, type Head, type KnownFeed, RenderedResources } from '@roster/engine/port';

/** What changed in a station after `since`. Each changed resource comes once. */
export interface StationChanges {
  readonly since: Head;
  /** How many resources the station has then. */
  readonly size: number;
  readonly put: readonly Resource[];
  readonly removed: readonly string[];
}

/** The changes of consecutive writes to one station as one: each resource comes once. */
export function joinChanges(changes: readonly StationChanges[]): StationChanges {
  const [first] = changes;
  if (changes.length === 1) return first!;
  const put = new Map<string, StationChanges['put'][number]>();
  const removed = new Set<string>();
  for (const each of changes) {
    for (const resourceId of each.removed) {
      put.delete(resourceId);
      removed.add(resourceId);
    }
    for (const resource of each.put) {
      removed.delete(resource.resourceId);
      put.set(resource.resourceId, resource);
    }
  }
  return { since: first!.since, size: changes.at(-1)!.size, put: [...put.values()], removed: [...removed] };
}

/** Rendered at once, on the main thread. */
const resourcesPerChunk = 500;

/** Renders the resources once someone reads them. */
export function feedOf(head: Head, { since, size, put, removed }: StationChanges): KnownFeed {
  async function* read(): AsyncGenerator<FeedChunk> {
    if (removed.length > 0) yield { put: RenderedResources.of([]), removed };
    for (let at = 0; at < put.length; at += resourcesPerChunk) {
      yield { put: RenderedResources.of(put.slice(at, at + resourcesPerChunk)), removed: [] };
    }
  }
  return { since, head, size, chunks: { [Symbol.asyncIterator]: read } };
}
