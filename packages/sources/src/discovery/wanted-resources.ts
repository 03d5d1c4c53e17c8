import { parseRecord, readLabels } from '@roster/contract';
import { backgroundSlicer } from '../background-slicer.ts';
import type { Discovery } from '../config/source.ts';
import type { Labels } from '../http/shape.ts';
import { stripPort } from '../tie/strip-port.ts';
import { discoveredId } from './own-resources.ts';

const targetsPerClockCheck = 64;

/** A resource that targets ask for. */
export interface WantedResource {
  readonly resourceId: string;
  readonly name: string;
  readonly typeKey: string;
  readonly displayName: string | undefined;
  readonly labels: Labels;
  /** The labels of the target that it is made from. */
  readonly target: Labels;
}

interface UnusableTarget {
  readonly target: Labels;
  readonly reason: string;
}

export interface WantedResources {
  /** Several targets may want the same one. */
  readonly byId: ReadonlyMap<string, WantedResource>;
  /** How many targets have a job that the table does not have, by job. */
  readonly unmapped: ReadonlyMap<string, number>;
  readonly unusable: readonly UnusableTarget[];
}

/** The resources that the targets of a source make. */
export async function wantedResources(
  source: string,
  discovery: Discovery,
  targets: readonly Labels[],
): Promise<WantedResources> {
  const byId = new Map<string, WantedResource>();
  const unmapped = new Map<string, number>();
  const unusable: UnusableTarget[] = [];
  const ranks = new Map([...discovery.jobs.keys()].map((job, at) => [job, at]));
  const slicer = backgroundSlicer();
  for (const [at, target] of targets.entries()) {
    if (at % targetsPerClockCheck === 0 && slicer.isDue) await slicer.pause();
    const job = labelIn(target, 'job');
    if (!ranks.has(job)) unmapped.set(job, (unmapped.get(job) ?? 0) + 1);
    else {
      const made = makeResource(source, discovery, target);
      if ('reason' in made) unusable.push(made);
      else {
        const other = byId.get(made.resourceId);
        if (other === undefined || precedes(made, other, ranks)) byId.set(made.resourceId, made);
      }
    }
  }
  return { byId, unmapped, unusable };
}

/** The job that comes first in the table decides; among its targets, any, but always the same. */
function precedes(one: WantedResource, other: WantedResource, ranks: ReadonlyMap<string, number>): boolean {
  const difference = ranks.get(one.target.job!)! - ranks.get(other.target.job!)!;
  return difference === 0 ? JSON.stringify(one.target) < JSON.stringify(other.target) : difference < 0;
}

function makeResource(source: string, discovery: Discovery, target: Labels): WantedResource | UnusableTarget {
  const given = labelIn(target, discovery.name);
  const name = discovery.stripPort ? stripPort(given) : given;
  if (name === '') return { target, reason: `it has no label ${discovery.name}` };
  const made: WantedResource = {
    resourceId: discoveredId(source, name),
    name,
    typeKey: discovery.jobs.get(target.job!)!,
    displayName: displayNameOf(discovery, target),
    labels: pickLabels(discovery, target),
    target,
  };
  const parsed = parseRecord({ resource_id: made.resourceId, resource_type: made.typeKey, name }, 1);
  if ('record' in parsed) return made;
  const [{ field, reason }] = parsed.errors as [(typeof parsed.errors)[number]];
  return { target, reason: `its ${field} ${reason}` };
}

/** Undefined if it is missing, or nothing that a resource can be called. */
function displayNameOf({ displayName: label }: Discovery, target: Labels): string | undefined {
  const name = label === undefined ? '' : labelIn(target, label);
  const parsed = parseRecord({ resource_id: 'x', resource_type: 'x', name: 'x', display_name: name }, 1);
  const isUsable = 'record' in parsed || parsed.errors.every(({ field }) => field !== 'display_name');
  return name !== '' && isUsable ? name : undefined;
}

/** Without those that are missing, or that a resource cannot have: see `readLabels`. */
function pickLabels({ labels }: Discovery, target: Labels): Labels {
  const picked: Record<string, string> = {};
  for (const [key, label] of labels) {
    const value = labelIn(target, label);
    if (value !== '' && !('error' in readLabels({ [key]: value }))) picked[key] = value;
  }
  return picked;
}

function labelIn(target: Labels, label: string): string {
  return Object.hasOwn(target, label) ? target[label]! : '';
}
