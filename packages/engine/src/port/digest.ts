import { hash } from 'node:crypto';
import { type Resource, renderResourceTail } from '@roster/contract';
import type { RenderedResource, RenderedResources } from './rendered-resources.ts';

/** An order-independent digest of the resources of a station, to compare index and store. */
export class Digest {
  #count = 0;
  #low = 0;
  #high = 0;

  add(resource: Resource): void {
    const { stateSinceMs, labels } = resource;
    const kind = { ...resource, hasRules: resource.alertRulesCount > 0 };
    this.addRendered({ kind, stateSinceMs, labels, tail: renderResourceTail(resource) });
  }

  addAll(resources: RenderedResources): void {
    for (const resource of resources.rendered()) this.addRendered(resource);
  }

  /** For callers that have the rendered tail. */
  addRendered({ kind, stateSinceMs, labels, tail }: RenderedResource): void {
    const { typeKey, product, alertable } = kind;
    const text = `${typeKey}\n${product}\n${alertable}\n${stateSinceMs}\n${labels}\n${tail}`;
    const bytes = hash('sha1', text, 'buffer');
    this.#count++;
    this.#low = (this.#low + bytes.readUInt32LE(0)) >>> 0;
    this.#high = (this.#high + bytes.readUInt32LE(4)) >>> 0;
  }

  toString(): string {
    const hex = (value: number) => value.toString(16).padStart(8, '0');
    return `${this.#count}:${hex(this.#high)}${hex(this.#low)}`;
  }
}
