import { createHash } from 'node:crypto';
import { noLabels, type ResourceRecord, readLabels, type StationAddress } from '@roster/contract';
import type { StagedRecord, Store } from '@roster/engine';
import { type SampleKind, sampleKinds, sampleTeams } from './sample-types.ts';

export const sampleAddress: StationAddress = {
  subscription: 'demo',
  resourceGroup: 'sample',
  zone: 'zone-1',
  name: 'station-1',
};

/** Adds a sample station to a store without stations. */
export async function loadSample(store: Store): Promise<void> {
  const { total } = await store.stations({ offset: 0, limit: 0 });
  const isOnlyEmptySample = total === 1 && (await store.head(sampleAddress))?.number === 0;
  if (total > 0 && !isOnlyEmptySample) return;
  await store.putTypes(
    sampleKinds.map(({ key, labels, product, alertable }) => ({ key, labels, product, alertable })),
  );
  await store.createStation(sampleAddress);
  const batch = await store.openBatch(sampleAddress, { changedBy: 'roster serve --sample' });
  await batch.add(sampleRecords());
  await batch.commit();
}

function sampleRecords(): StagedRecord[] {
  const nowMs = Date.now();
  return sampleKinds
    .flatMap((kind) => Array.from({ length: kind.count }, (_, index) => sampleRecord(kind, index, nowMs)))
    .map((record, at) => ({ line: at + 1, record }));
}

function sampleRecord(kind: SampleKind, index: number, nowMs: number): ResourceRecord {
  const { gpuModels = [''] } = kind;
  const displayName = kind.nameOf(index);
  const random = createHash('sha256').update(displayName).digest();
  const isCovered = kind.alertable && random[0]! >= 70;
  const state = isCovered ? stateOf(random[1]!) : 'ALERTSTATE_INACTIVE';
  return {
    resourceId: `res-${random.toString('hex', 8, 14)}`,
    name: `${displayName}.zone-1`,
    displayName,
    typeKey: kind.key,
    product: kind.product,
    alertable: kind.alertable,
    state,
    stateSinceMs: nowMs - Math.floor((random.readUInt32BE(20) / 2 ** 32) * longestMs[state]!),
    labels: labelsOf(displayName),
    sku: kind.skus[random[2]! % kind.skus.length]!,
    gpuModel: gpuModels[random[3]! % gpuModels.length]!,
    alertRulesCount: isCovered ? 1 + (random[4]! % 12) : 0,
    createTime: createTimeOf(random),
  };
}

/** How long resources may have been in a state. */
const longestMs: Readonly<Record<string, number>> = {
  ALERTSTATE_FIRING: 12 * 3_600_000,
  ALERTSTATE_PENDING: 1_800_000,
  ALERTSTATE_INACTIVE: 30 * 86_400_000,
};

/** Names tell the rack of a node, and whose the others are. */
function labelsOf(displayName: string): string {
  const [, rack] = /-(r[0-9]+)-/.exec(displayName) ?? [];
  const owner = sampleTeams.find((team) => displayName.includes(`-${team}-`));
  const read = readLabels({ ...(owner && { owner }), ...(rack && { rack }) });
  return 'labels' in read ? read.labels : noLabels;
}

function stateOf(byte: number): string {
  if (byte < 12) return 'ALERTSTATE_FIRING';
  return byte < 26 ? 'ALERTSTATE_PENDING' : 'ALERTSTATE_INACTIVE';
}

function createTimeOf(random: Buffer): string {
  const firstDay = Date.UTC(2024, 0, 8);
  const twoYears = 2 * 365 * 86_400_000;
  return new Date(firstDay + (random.readUInt32BE(16) / 2 ** 32) * twoYears).toISOString();
}
