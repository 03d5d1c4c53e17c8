import { anyTime, everything, orderFields, type SearchQuery } from '@roster/contract';
import fc from 'fast-check';
import { anyQuery } from './arbitrary-station.ts';

/** A search for everything, in the order of the list. */
export const anything: SearchQuery = {
  ...everything,
  states: undefined,
  covered: undefined,
  alertable: undefined,
  text: undefined,
  gpuModels: undefined,
  skus: undefined,
  labels: new Map(),
  createdMs: anyTime,
  stateSinceMs: anyTime,
  order: { field: 'display_name', isDescending: false },
  page: { offset: 0, size: 50 },
  facets: [],
};

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const someOf = (...values: string[]) => fc.subarray(values, { minLength: 1 });
const days = (month: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(anyTime) },
    fc.tuple(fc.nat(6), fc.nat(6)).map(([from, to]) => ({
      from: Date.UTC(2026, month, from),
      to: Date.UTC(2026, month, to + 1),
    })),
  );

export const anySearch: fc.Arbitrary<SearchQuery> = fc
  .record({
    documented: anyQuery,
    states: maybe(someOf('ALERTSTATE_FIRING', 'ALERTSTATE_INACTIVE', 'ALERTSTATE_1', 'ALERTSTATE_NONE')),
    covered: maybe(fc.boolean()),
    alertable: maybe(fc.boolean()),
    text: maybe(fc.constantFrom('node', 'e-1', 'id-', 'a', '节', 'name-of-', 'quoted', 'zz')),
    gpuModels: maybe(someOf('H100', 'A100', 'none')),
    skus: maybe(someOf('8 vCPU', 'none')),
    labels: fc.constantFrom<[string, string[]][]>(
      [],
      [],
      [['rack', ['r1']]],
      [['rack', ['r1', 'r2']]],
      [
        ['rack', ['r1']],
        ['owner', ['search']],
      ],
      [['none', ['x']]],
    ),
    createdMs: days(0),
    stateSinceMs: days(1),
    order: fc.record({ field: fc.constantFrom(...orderFields), isDescending: fc.boolean() }),
  })
  .map(({ documented, labels, ...own }) => ({
    ...anything,
    ...documented,
    ...own,
    labels: new Map(labels),
    page: anything.page,
  }));
