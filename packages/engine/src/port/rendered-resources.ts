import { parseResourceTail, type Resource, renderResourceTail } from '@roster/contract';

/** The fields of a resource that many others share. */
export interface Kind extends Pick<Resource, 'typeKey' | 'product' | 'alertable' | 'state'> {
  readonly hasRules: boolean;
}

/** Further fields that many resources share and that searches filter by. */
export interface Attributes extends Pick<Resource, 'sku' | 'gpuModel' | 'labels'> {
  /** The key of its station, where resources of several are kept together. */
  readonly station?: string;
}

/** The columns of `RenderedResources`: plain arrays and buffers that can move between threads. */
export interface RenderedColumns {
  readonly ids: readonly string[];
  readonly displayNames: readonly string[];
  /** The distinct kinds, and for each resource the position of its kind among them. */
  readonly kinds: readonly Kind[];
  readonly kindOf: Uint32Array;
  /** The distinct attributes, and for each resource the position of its attributes among them. */
  readonly attributes: readonly Attributes[];
  readonly attributesOf: Uint32Array;
  readonly createdMs: Float64Array;
  readonly stateSinceMs: Float64Array;
  readonly ruleCounts: Float64Array;
  /** The tails of all resources, see `renderResourceTail`, and where each begins and ends. */
  readonly bytes: Uint8Array;
  readonly tails: Uint32Array;
  readonly ends: Uint32Array;
}

/** A resource in the form that a digest compares. */
export interface RenderedResource extends Pick<Resource, 'stateSinceMs' | 'labels'> {
  readonly kind: Kind;
  readonly tail: string;
}

/**
 * Resources as a feed yields them: in columns, rendered as JSON, and preferably sorted by display name and id.
 * Rendering and sorting is most of the work of a large feed, and a store can do it on another thread.
 */
export class RenderedResources implements Iterable<Resource> {
  readonly columns: RenderedColumns;

  constructor(columns: RenderedColumns) {
    this.columns = columns;
  }

  static of(resources: readonly Resource[]): RenderedResources {
    const sorted = resources.toSorted(inListOrder);
    const kinds: Kind[] = [];
    const kindNumbers = new Map<string, number>();
    const kindOf = new Uint32Array(sorted.length);
    const attributes: Attributes[] = [];
    const attributesNumbers = new Map<string, number>();
    const attributesOf = new Uint32Array(sorted.length);
    const createdMs = new Float64Array(sorted.length);
    const stateSinceMs = new Float64Array(sorted.length);
    const ruleCounts = new Float64Array(sorted.length);
    const tails = new Uint32Array(sorted.length);
    const ends = new Uint32Array(sorted.length);
    const texts: string[] = [];
    for (const [at, resource] of sorted.entries()) {
      const { typeKey, product, alertable, state, alertRulesCount, sku, gpuModel, labels } = resource;
      const hasRules = alertRulesCount > 0;
      const key = `${typeKey}\0${product}\0${state}\0${alertable}${hasRules}`;
      kindOf[at] = kindNumbers.getOrInsertComputed(
        key,
        () => kinds.push({ typeKey, product, alertable, state, hasRules }) - 1,
      );
      attributesOf[at] = attributesNumbers.getOrInsertComputed(
        `${sku}\0${gpuModel}\0${labels}`,
        () => attributes.push({ sku, gpuModel, labels }) - 1,
      );
      createdMs[at] = Date.parse(resource.createTime);
      stateSinceMs[at] = resource.stateSinceMs;
      ruleCounts[at] = alertRulesCount;
      texts.push(renderResourceTail(resource));
    }
    const text = texts.join('');
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    bytes.write(text);
    const isAscii = bytes.length === text.length;
    let end = 0;
    for (const [at, tail] of texts.entries()) {
      tails[at] = end;
      end += isAscii ? tail.length : Buffer.byteLength(tail);
      ends[at] = end;
    }
    return new RenderedResources({
      ids: sorted.map(({ resourceId }) => resourceId),
      displayNames: sorted.map(({ displayName }) => displayName),
      kinds,
      kindOf,
      attributes,
      attributesOf,
      createdMs,
      stateSinceMs,
      ruleCounts,
      bytes,
      tails,
      ends,
    });
  }

  get length(): number {
    return this.columns.ids.length;
  }

  *[Symbol.iterator](): Iterator<Resource> {
    for (const { kind, stateSinceMs, labels, tail } of this.rendered()) {
      const { typeKey, product, alertable } = kind;
      yield { ...parseResourceTail(tail), typeKey, product, alertable, stateSinceMs, labels };
    }
  }

  *rendered(): Iterable<RenderedResource> {
    const { kinds, kindOf, attributes, attributesOf, stateSinceMs, bytes, tails, ends } = this.columns;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < this.length; at++) {
      yield {
        kind: kinds[kindOf[at]!]!,
        stateSinceMs: stateSinceMs[at]!,
        labels: attributes[attributesOf[at]!]!.labels,
        tail: text.toString('utf8', tails[at], ends[at]),
      };
    }
  }
}

function inListOrder(a: Resource, b: Resource): number {
  if (a.displayName !== b.displayName) return a.displayName < b.displayName ? -1 : 1;
  return a.resourceId < b.resourceId ? -1 : 1;
}
