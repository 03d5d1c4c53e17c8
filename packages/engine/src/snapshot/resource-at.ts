import { parseResourceTail, type Resource } from '@roster/contract';
import { bucketOf } from './segment.ts';
import type { Snapshot } from './snapshot.ts';

/** The resource that a slot of the snapshot holds. */
export function resourceAt(snapshot: Snapshot, slot: number): Resource {
  const { typeKey, product, alertable } = snapshot.buckets.at(bucketOf(snapshot.segments, slot));
  return { ...parseResourceTail(snapshot.tailOf(slot)), typeKey, product, alertable };
}
