import type { Resource } from '@roster/contract';
import { SeededRandom } from '../../../../testing/seeded-random.ts';
import type { StationData } from '../../dataset/station-data.ts';

export interface StateChange {
  readonly resource: Resource;
  readonly state: string;
}

const states = ['ALERTSTATE_FIRING', 'ALERTSTATE_PENDING'] as const;

/** Changes of states, each of them a real one: resources in random order, and never twice the same state. */
export class StateChanges {
  readonly #resources: readonly Resource[];
  readonly #order: Uint32Array;
  readonly #turns: Uint8Array;
  #next = 0;

  constructor({ resources, size }: StationData) {
    this.#resources = resources;
    this.#order = shuffled(size);
    this.#turns = new Uint8Array(size);
  }

  next(): StateChange {
    const at = this.#order[this.#next++ % this.#order.length]!;
    const resource = this.#resources[at]!;
    const [first, second] = states;
    const turn = this.#turns[at]!++ % 2;
    return { resource, state: (turn === 0) === (resource.state !== first) ? first : second };
  }

  take(count: number): StateChange[] {
    return Array.from({ length: count }, () => this.next());
  }
}

function shuffled(size: number): Uint32Array {
  const random = new SeededRandom(7);
  const order = Uint32Array.from({ length: size }, (_, at) => at);
  for (let at = size - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/** A body that creates resources, of which only the states matter. */
export function renderRecords(resources: readonly Resource[]): string {
  return resources
    .map(({ resourceId, name, typeKey, state }) =>
      JSON.stringify({ resource_id: resourceId, name, resource_type: typeKey, state }),
    )
    .join('\n');
}

/** The body that tells Roster and the plain clients of the changes. */
export function renderChanges(changes: readonly StateChange[]): string {
  return changes
    .map(({ resource: { resourceId }, state }) => JSON.stringify({ resource_id: resourceId, state }))
    .join('\n');
}

export interface ParsedChange {
  readonly resource_id: string;
  readonly state: string;
}

export function parseChanges(body: string): ParsedChange[] {
  return body.split('\n').map((line) => JSON.parse(line) as ParsedChange);
}
