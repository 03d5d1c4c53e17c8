import { parseResourceTail, type Resource, renderResourceTail } from '@roster/contract';
import type { Kind } from './buckets.ts';

/** Plain arrays and buffers, which can go from one thread to another. */
export interface PackedColumns {
  readonly ids: readonly string[];
  readonly displayNames: readonly string[];
  readonly kinds: readonly Kind[];
  /** By resource, where its kind stands among the kinds. */
  readonly kindOf: Uint32Array;
  readonly bytes: Uint8Array;
  /** Where in the bytes the part of each resource's JSON begins that does not depend on the language. */
  readonly tails: Uint32Array;
  readonly ends: Uint32Array;
}

const expectedBytesPerResource = 512;

/**
 * Resources that are rendered, so that a snapshot only has to copy them, and best in list order, so that it has little
 * to sort. To render and to sort is most of the work of a large feed, and a store can do it on a thread of its own.
 */
export class PackedResources implements Iterable<Resource> {
  readonly columns: PackedColumns;

  constructor(columns: PackedColumns) {
    this.columns = columns;
  }

  static of(resources: readonly Resource[]): PackedResources {
    const sorted = resources.toSorted(inListOrder);
    const kinds = new KindNumbers();
    const kindOf = new Uint32Array(sorted.length);
    const tails = new Uint32Array(sorted.length);
    const ends = new Uint32Array(sorted.length);
    let bytes: Buffer = Buffer.allocUnsafeSlow(sorted.length * expectedBytesPerResource);
    let end = 0;
    for (const [at, resource] of sorted.entries()) {
      kindOf[at] = kinds.numberOf(resource);
      const tail = renderResourceTail(resource);
      bytes = withRoomFor(bytes, end, tail.length * 3);
      tails[at] = end;
      end += bytes.write(tail, end);
      ends[at] = end;
    }
    return new PackedResources({
      ids: sorted.map(({ resourceId }) => resourceId),
      displayNames: sorted.map(({ displayName }) => displayName),
      kinds: kinds.all,
      kindOf,
      bytes: bytes.subarray(0, end),
      tails,
      ends,
    });
  }

  get length(): number {
    return this.columns.ids.length;
  }

  *[Symbol.iterator](): Iterator<Resource> {
    for (const { kind, tail } of this.rendered()) {
      const { typeKey, product, alertable } = kind;
      yield { ...parseResourceTail(tail), typeKey, product, alertable };
    }
  }

  *rendered(): Iterable<{ kind: Kind; tail: string }> {
    const { kinds, kindOf, bytes, tails, ends } = this.columns;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < this.length; at++) {
      yield { kind: kinds[kindOf[at]!]!, tail: text.toString('utf8', tails[at], ends[at]) };
    }
  }
}

function inListOrder(a: Resource, b: Resource): number {
  if (a.displayName !== b.displayName) return a.displayName < b.displayName ? -1 : 1;
  return a.resourceId < b.resourceId ? -1 : 1;
}

function withRoomFor(bytes: Buffer, used: number, more: number): Buffer {
  if (used + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.max(used + more, bytes.length * 2));
  bytes.copy(larger, 0, 0, used);
  return larger;
}

class KindNumbers {
  readonly all: Kind[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf({ typeKey, product, alertable, state, alertRulesCount }: Resource): number {
    const hasRules = alertRulesCount > 0;
    const key = `${typeKey}\0${product}\0${state}\0${alertable}${hasRules}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.all.push({ typeKey, product, alertable, state, hasRules }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
