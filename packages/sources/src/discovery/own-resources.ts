import { createHash } from 'node:crypto';
import type { Resource } from '@roster/contract';
import type { ResourceFollower } from '../tie/station-resources.ts';

export type OwnResource = Pick<Resource, 'resourceId' | 'name' | 'displayName' | 'typeKey' | 'labels'>;

/** The id of the resource that a source makes for targets with this name. */
export function discoveredId(source: string, name: string): string {
  const digest = createHash('sha256').update(`${source}\0${name}`).digest('hex');
  return `${source}-${digest.slice(0, 16)}`;
}

/**
 * The resources of a station that a source discovered. Their ids prove it: no other record has the id that belongs to
 * the source and its own name. That holds after restarts, restores and imports, and a renamed resource is given up.
 */
export class OwnResources implements ResourceFollower {
  readonly byId = new Map<string, OwnResource>();
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  put({ resourceId, name, displayName, typeKey, labels }: OwnResource): void {
    const isOwn =
      resourceId.startsWith(`${this.#source}-`) && resourceId === discoveredId(this.#source, name);
    if (isOwn) this.byId.set(resourceId, { resourceId, name, displayName, typeKey, labels });
    else this.byId.delete(resourceId);
  }

  remove(resourceId: string): void {
    this.byId.delete(resourceId);
  }

  clear(): void {
    this.byId.clear();
  }
}
