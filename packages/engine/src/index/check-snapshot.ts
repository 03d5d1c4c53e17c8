import { parseResourceTail } from '@roster/contract';
import { Digest } from '../port/digest.ts';
import { TimeSlicer } from '../scheduling/time-slicer.ts';
import type { Bucket } from './rows/buckets.ts';
import { compareSlots } from './rows/list-order.ts';
import { bucketOf, displayNameOf, idOf, orderKeyOf, rowOf, segmentOf } from './rows/segment.ts';
import type { Snapshot } from './snapshot.ts';

/** How a snapshot contradicts itself or the store's digest; undefined if it does not. */
export async function checkSnapshot(
  snapshot: Snapshot,
  storeDigest: string,
  slicer = new TimeSlicer(),
): Promise<string | undefined> {
  const { segments, buckets } = snapshot;
  const digest = new Digest();
  const listSizes = new Array<number>(buckets.listCount).fill(0);
  let previous = -1;
  for (const slots of snapshot.slots()) {
    for (const slot of slots) {
      if (previous !== -1 && !isBefore(snapshot, previous, slot))
        return `${idOf(segments, slot)} is out of order`;
      if (snapshot.find(idOf(segments, slot)) !== slot)
        return `${idOf(segments, slot)} is not found by its id`;
      const bucket = buckets.at(bucketOf(segments, slot));
      for (const list of bucket.lists) listSizes[list]!++;
      const tail = snapshot.tailOf(slot);
      const listed = parseResourceTail(tail);
      if (!isCountedRight(bucket, listed)) return `${idOf(segments, slot)} is counted as what it is not`;
      if (listed.resourceId !== idOf(segments, slot) || listed.displayName !== displayNameOf(segments, slot))
        return `${idOf(segments, slot)} is listed as ${listed.resourceId}, ${listed.displayName}`;
      const row = rowOf(slot);
      const { attributes, createdMs, stateSinceMs, ruleCounts } = segmentOf(segments, slot);
      const { sku, gpuModel, labels } = snapshot.attributes.at(attributes[row]!);
      const isFoundRight =
        sku === listed.sku &&
        gpuModel === listed.gpuModel &&
        createdMs[row] === Date.parse(listed.createTime) &&
        ruleCounts[row] === listed.alertRulesCount;
      if (!isFoundRight) return `${idOf(segments, slot)} is found by what it does not have`;
      digest.addRendered({ kind: bucket, stateSinceMs: stateSinceMs[row]!, labels, tail });
      previous = slot;
      if (slicer.isDue) await slicer.pause();
    }
  }
  const wrongList = listSizes.findIndex((size, list) => snapshot.list(list).size !== size);
  if (wrongList !== -1)
    return `list ${wrongList} has ${snapshot.list(wrongList).size} entries, not ${listSizes[wrongList]}`;
  if (digest.toString() !== storeDigest) return `the digest is ${digest}, the store's is ${storeDigest}`;
  return undefined;
}

/** The digest does not cover what the bucket says. */
function isCountedRight({ state, hasRules }: Bucket, listed: ReturnType<typeof parseResourceTail>): boolean {
  return listed.state === state && listed.alertRulesCount > 0 === hasRules;
}

function isBefore({ segments }: Snapshot, a: number, b: number): boolean {
  return compareSlots(segments, a, b) < 0 && orderKeyOf(segments, a) < orderKeyOf(segments, b);
}
