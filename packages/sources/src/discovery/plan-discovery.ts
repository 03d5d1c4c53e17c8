import { parseLabels, type ResourceRecord, readLabels } from '@roster/contract';
import { backgroundSlicer } from '../background-slicer.ts';
import type { Discovery } from '../config/source.ts';
import type { OwnResource } from './own-resources.ts';
import type { WantedResource, WantedResources } from './wanted-resources.ts';

const resourcesPerClockCheck = 64;

/** What discovery does to a station. */
export interface DiscoveryPlan {
  readonly made: readonly ResourceRecord[];
  /** With the fields that differ. */
  readonly changed: readonly ResourceRecord[];
  /** How many more are wanted than may be made. Those that are there stay. */
  readonly surplus: number;
  /** Wanted ones that somebody else has brought in. */
  readonly taken: readonly WantedResource[];
  /** Ids of discovered resources that no target asks for any more. */
  readonly missing: readonly string[];
}

interface DiscoveredStation {
  readonly own: ReadonlyMap<string, OwnResource>;
  /** Whether a resource that is not discovered has its id or name, or belongs to its target. */
  readonly isTaken: (wanted: WantedResource) => boolean;
}

export async function planDiscovery(
  wanted: WantedResources['byId'],
  { own, isTaken }: DiscoveredStation,
  discovery: Discovery,
): Promise<DiscoveryPlan> {
  const room = Math.max(0, discovery.maxResources - own.size);
  const made: ResourceRecord[] = [];
  const changed: ResourceRecord[] = [];
  const taken: WantedResource[] = [];
  let surplus = 0;
  let count = 0;
  const slicer = backgroundSlicer();
  for (const each of wanted.values()) {
    if (++count % resourcesPerClockCheck === 0 && slicer.isDue) await slicer.pause();
    const before = own.get(each.resourceId);
    if (before !== undefined) changed.push(...changeOf(before, each, discovery));
    else if (isTaken(each)) taken.push(each);
    else if (made.length < room) made.push(recordOf(each));
    else surplus++;
  }
  return { made, changed, surplus, taken, missing: [...own.keys()].filter((id) => !wanted.has(id)) };
}

function recordOf({ resourceId, name, typeKey, displayName, labels }: WantedResource): ResourceRecord {
  const read = readLabels(labels);
  return {
    resourceId,
    name,
    typeKey,
    ...(displayName === undefined ? {} : { displayName }),
    ...('labels' in read ? { labels: read.labels } : {}),
  };
}

/** Only the type, the display name and the labels that come from targets are kept up to date. */
function changeOf(before: OwnResource, wanted: WantedResource, discovery: Discovery): ResourceRecord[] {
  const { resourceId, name, typeKey, displayName = before.displayName } = wanted;
  const labels = mergeLabels(before, wanted, discovery);
  const isSame = typeKey === before.typeKey && displayName === before.displayName && labels === before.labels;
  return isSame ? [] : [{ resourceId, name, typeKey, displayName, labels }];
}

/** Labels that somebody added stay. */
function mergeLabels(before: OwnResource, wanted: WantedResource, discovery: Discovery): string {
  if (discovery.labels.size === 0) return before.labels;
  const kept = Object.entries(parseLabels(before.labels)).filter(([key]) => !discovery.labels.has(key));
  const read = readLabels({ ...Object.fromEntries(kept), ...wanted.labels });
  return 'labels' in read ? read.labels : before.labels;
}
