import { hash } from 'node:crypto';
import { type Resource, renderResourceTail } from '@roster/contract';
import type { RenderedResources } from './rendered-resources.ts';

/** An order-independent digest of the resources of a station, to compare index and store. */
export class Digest {
  #count = 0;
  #low = 0;
  #high = 0;

  add(resource: Resource): void {
    this.addRendered(resource.typeKey, resource.product, resource.alertable, renderResourceTail(resource));
  }

  addAll(resources: RenderedResources): void {
    for (const { kind, tail } of resources.rendered()) {
      this.addRendered(kind.typeKey, kind.product, kind.alertable, tail);
    }
  }

  /** For callers that have the rendered tail. */
  addRendered(typeKey: string, product: string, alertable: boolean, tail: string): void {
    const bytes = hash('sha1', `${typeKey}\n${product}\n${alertable}\n${tail}`, 'buffer');
    this.#count++;
    this.#low = (this.#low + bytes.readUInt32LE(0)) >>> 0;
    this.#high = (this.#high + bytes.readUInt32LE(4)) >>> 0;
  }

  toString(): string {
    const hex = (value: number) => value.toString(16).padStart(8, '0');
    return `${this.#count}:${hex(this.#high)}${hex(this.#low)}`;
  }
}
