import type { Resource, ResourceRecord, StationAddress } from '@roster/contract';
import { expect } from 'vitest';
import type {
  Batch,
  BatchOptions,
  ChangeFeed,
  Head,
  StagedRecord,
  Station,
  Store,
  WriteResult,
} from '../store.ts';

export const station: StationAddress = {
  subscription: 'subscription',
  resourceGroup: 'group',
  zone: 'zone',
  name: 'station',
};

export function aRecord(resourceId: string, fields: Partial<ResourceRecord> = {}): ResourceRecord {
  return { resourceId, name: `name of ${resourceId}`, typeKey: 'resource_type.compute.vm', ...fields };
}

export function manyRecords(count: number, fields: Partial<ResourceRecord> = {}): ResourceRecord[] {
  return Array.from({ length: count }, (_, index) => aRecord(`vm-${index}`, fields));
}

/** The records as lines 1, 2, 3 … of a batch. */
export function onLines(records: readonly ResourceRecord[]): StagedRecord[] {
  return records.map((record, index) => ({ line: index + 1, record }));
}

interface StageOptions extends BatchOptions {
  readonly address?: StationAddress;
}

export async function stage(
  store: Store,
  records: readonly ResourceRecord[],
  { address = station, ...options }: StageOptions = {},
): Promise<Batch> {
  const batch = await store.openBatch(address, options);
  const lines = onLines(records);
  const piece = Math.min(1000, Math.ceil(lines.length / 3));
  for (let start = 0; start < lines.length; start += piece)
    await batch.add(lines.slice(start, start + piece));
  return batch;
}

export async function put(
  store: Store,
  records: readonly ResourceRecord[],
  options: StageOptions = {},
): Promise<WriteResult> {
  const batch = await stage(store, records, options);
  return batch.commit();
}

/** Whatever it removes. */
export function replace(store: Store, records: readonly ResourceRecord[]): Promise<WriteResult> {
  return put(store, records, { mode: 'replace', allowRemoval: 'all' });
}

export async function allStations(store: Store): Promise<readonly Station[]> {
  return (await store.stations({ offset: 0, limit: Number.MAX_SAFE_INTEGER })).stations;
}

export interface Contents {
  readonly head: Head;
  readonly put: ReadonlyMap<string, Resource>;
  readonly removed: ReadonlySet<string>;
}

export async function collect(feed: ChangeFeed): Promise<Contents> {
  const collected = new Map<string, Resource>();
  const removed = new Set<string>();
  for await (const part of feed.parts) {
    for (const resource of part.put) {
      expect(collected.has(resource.resourceId), `${resource.resourceId} comes once`).toBe(false);
      collected.set(resource.resourceId, resource);
    }
    for (const resourceId of part.removed) {
      expect(removed.has(resourceId), `${resourceId} goes once`).toBe(false);
      removed.add(resourceId);
    }
  }
  return { head: feed.head, put: collected, removed };
}

export async function readAll(store: Store, since?: Head, address = station): Promise<Contents> {
  return collect(await store.changes(address, since));
}

export async function readOne(store: Store, resourceId: string): Promise<Resource | undefined> {
  const { put: resources } = await readAll(store);
  return resources.get(resourceId);
}
