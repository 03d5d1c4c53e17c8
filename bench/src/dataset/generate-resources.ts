import type { Resource } from '@roster/contract';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import { gpuModels, type ResourceKind, resourceKinds, teams, zones } from './resource-kinds.ts';

const seed = 20_260_131;
const firstCreateTimeMs = Date.UTC(2024, 0, 1);
const createTimeSpanMs = 2 * 365 * 86_400_000;
const lastStateMs = Date.UTC(2026, 0, 31);
const stateSpanMs = 30 * 86_400_000;

/** The inventory of a GPU cloud, in random order. A smaller set is a prefix of a larger one. */
export function* generateResources(count: number): Generator<Resource> {
  const random = new SeededRandom(seed);
  const lastNumbers = new Map<string, number>();
  const kindsByPercent = resourceKinds.flatMap((kind) => new Array<ResourceKind>(kind.percent).fill(kind));
  // Apart, so that the other fields stay as they were before there were these.
  const added = new SeededRandom(seed + 1);
  for (let index = 0; index < count; index++) {
    const kind = random.pick(kindsByPercent);
    const resourceId = nextId(index, random);
    const displayName = nextDisplayName(kind, lastNumbers, random);
    const alertable = random.next() < 0.9;
    yield {
      resourceId,
      name: `${displayName}-${resourceId.slice(0, 13)}`,
      displayName,
      typeKey: kind.typeKey,
      product: random.pick(kind.products),
      alertable,
      state: alertable ? nextState(random) : 'ALERTSTATE_INACTIVE',
      sku: `${2 ** random.below(8)} ${kind.unit}`,
      gpuModel: kind.gpu ? random.pick(gpuModels) : '',
      alertRulesCount: alertable && random.next() >= 0.222 ? 1 + random.below(12) : 0,
      createTime: new Date(firstCreateTimeMs + random.below(createTimeSpanMs)).toISOString(),
      stateSinceMs: lastStateMs - added.below(stateSpanMs),
      labels: `{"rack":"r${added.below(400)}"}`,
    };
  }
}

/** Multiplication by an odd number permutes the 32-bit integers, so ids are unique and in random order. */
function nextId(index: number, random: SeededRandom): string {
  const [first, second] = [hex8(Math.imul(index + 1, 0x9e3779b1)), hex8(random.below(0x1_0000_0000))];
  const third = hex8(random.below(0x1_0000_0000));
  return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-8${third.slice(0, 3)}-${third.slice(3)}${first.slice(1)}`;
}

function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

/** One name in a hundred is used twice, to exercise the tie-break of the order. */
function nextDisplayName(kind: ResourceKind, lastNumbers: Map<string, number>, random: SeededRandom): string {
  const stem = `${kind.nameStem}-${random.pick(kind.namedAfter === 'zone' ? zones : teams)}`;
  const last = lastNumbers.get(stem) ?? 0;
  const number = random.next() < 0.01 ? last : last + 1;
  lastNumbers.set(stem, number);
  return `${stem}-${String(number).padStart(5, '0')}`;
}

function nextState(random: SeededRandom): string {
  const draw = random.next();
  if (draw < 0.86) return 'ALERTSTATE_INACTIVE';
  if (draw < 0.92) return 'ALERTSTATE_PENDING';
  return draw < 0.98 ? 'ALERTSTATE_FIRING' : 'ALERTSTATE_NODATA';
}
