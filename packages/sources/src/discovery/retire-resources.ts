import { RosterError } from '@roster/contract';
import type { Head, StagedRecord } from '@roster/engine';
import type { SourceStore } from '../port.ts';
import type { StationResources } from '../tie/station-resources.ts';
import type { OwnResources } from './own-resources.ts';

/**
 * A batch names all resources that stay. With this many for each that goes, it takes up to twice as long as removing
 * them singly: 13 µs for each that stays, against 0.9 ms for each that goes (SQLite, 20 000 resources).
 */
const stayingPerRetired = 100;
/** At once. Each is a revision of its own, and the states of the station wait for them. */
const maxSingly = 200;
const recordsPerAdd = 1000;

export interface Retirement {
  readonly store: Pick<SourceStore, 'feed' | 'openBatch' | 'removeResource'>;
  /** At the revision at which the resources are to be retired; others may move it on meanwhile. */
  readonly resources: StationResources;
  /** Those that the source discovered, and nobody has made theirs since. */
  readonly own: OwnResources;
  readonly changedBy: string;
  readonly signal: AbortSignal;
}

/**
 * Removes resources that a station has: as one revision or, where a few of many go or others keep writing to the
 * station, one by one. Resolves to how many are gone.
 */
export async function retireResources(ids: readonly string[], retirement: Retirement): Promise<number> {
  const { head, index } = retirement.resources;
  if (head === undefined) return 0;
  const isBatch = ids.length > 1 && index.resources.size <= stayingPerRetired * ids.length;
  const retired = isBatch ? await unlessChanged(() => retireTogether(ids, head, retirement)) : undefined;
  return retired ?? retireSingly(ids.slice(0, maxSingly), retirement);
}

/** Undefined if the station is not at `head` any more. */
async function retireTogether(
  ids: readonly string[],
  head: Head,
  retirement: Retirement,
): Promise<number | undefined> {
  const { store, resources, changedBy, signal } = retirement;
  const staying = await readStaying(new Set(ids), head, retirement);
  if (staying === undefined) return undefined;
  if (signal.aborted) return 0;
  // Whoever retires has asked the guard already.
  const options = { mode: 'replace', allowRemoval: 'all', ifRevision: head, changedBy } as const;
  const batch = await store.openBatch(resources.address, options);
  try {
    for (let at = 0; at < staying.length; at += recordsPerAdd) {
      await batch.add(staying.slice(at, at + recordsPerAdd));
    }
    return (await batch.commit()).removed;
  } finally {
    await batch.discard();
  }
}

/** Undefined if the station is not at `head` any more. Fields that a record omits keep their values. */
async function readStaying(
  ids: ReadonlySet<string>,
  head: Head,
  { store, resources }: Retirement,
): Promise<StagedRecord[] | undefined> {
  const staying: StagedRecord[] = [];
  const feed = await store.feed(resources.address);
  const isMoved = feed.head.revId !== head.revId;
  for await (const { put } of feed.chunks) {
    for (const { resourceId, name, typeKey } of put) {
      if (!ids.has(resourceId))
        staying.push({ line: staying.length + 1, record: { resourceId, name, typeKey } });
    }
  }
  return isMoved ? undefined : staying;
}

async function retireSingly(ids: readonly string[], retirement: Retirement): Promise<number> {
  const { store, resources, own, changedBy, signal } = retirement;
  // Undefined if others may have written since the resources were read.
  let { head } = resources;
  let retired = 0;
  for (const id of ids) {
    if (signal.aborted) break;
    if (head === undefined) {
      await resources.refresh();
      ({ head } = resources);
    }
    if (!own.byId.has(id)) continue;
    const ifRevision = head;
    const removed = await unlessChanged(() =>
      store.removeResource(resources.address, id, { ifRevision, changedBy }),
    );
    head = removed?.head;
    if (removed === undefined) {
      await resources.refresh();
      if (!own.byId.has(id)) continue;
      // Without a condition, which would never hold while others keep writing.
      await store.removeResource(resources.address, id, { changedBy });
    }
    retired++;
  }
  return retired;
}

/** Undefined if somebody else has written to the station. */
async function unlessChanged<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof RosterError && error.code === 'revision_mismatch') return undefined;
    throw error;
  }
}
