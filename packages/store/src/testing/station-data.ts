import type { StationAddress } from '@roster/contract';
import type { StagedRecord, Store, StoredToken, StoredView, WriteResult } from '@roster/engine';

export const station: StationAddress = {
  subscription: 'subscription',
  resourceGroup: 'group',
  zone: 'zone',
  name: 'station',
};

export function aBatch(count: number, prefix = 'vm', padding = ''): StagedRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    line: index + 1,
    record: {
      resourceId: `${prefix}-${index}`,
      name: `name of ${prefix}-${index}`,
      typeKey: 'resource_type.compute.vm',
      sku: padding,
    },
  }));
}

export function aToken(id: string): StoredToken {
  return {
    id,
    name: id,
    hash: Buffer.from(id).toString('hex').padStart(64, '0'),
    role: 'reader',
    scopes: ['**'],
    createdAtMs: 1,
    createdBy: 'test',
    makerId: undefined,
    expiresAtMs: undefined,
    lastUsedAtMs: undefined,
  };
}

export function aView(owner: string, name: string): StoredView {
  return { owner, name, station, query: 'state=firing', changedAtMs: 1, changedBy: 'test' };
}

export async function put(
  store: Store,
  records: readonly StagedRecord[],
  address = station,
): Promise<WriteResult> {
  const batch = await store.openBatch(address);
  try {
    for (let start = 0; start < records.length; start += 1000) {
      await batch.add(records.slice(start, start + 1000));
    }
    return await batch.commit();
  } finally {
    await batch.discard();
  }
}

export async function countResources(store: Store): Promise<number> {
  let count = 0;
  for await (const { put: resources } of (await store.feed(station)).chunks) count += resources.length;
  return count;
}
