import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HistoryPlace, isAfter, placeOf, positionAfter, step } from './history-place.ts';

const aPlace: fc.Arbitrary<HistoryPlace> = fc.record({
  revision: fc.integer({ min: 1, max: 3 }),
  id: fc.integer({ min: 1, max: 3 }),
  step: fc.constantFrom(step.remove, step.put),
});

it('gives a position that everything read lies at or before, and everything else behind', () => {
  fc.assert(
    fc.property(fc.uniqueArray(aPlace, { minLength: 2, comparator: isSamePlace }), fc.nat(), (places, at) => {
      const inOrder = places.sort((one, other) => (isAfter(one, other) ? 1 : -1));
      const last = at % (inOrder.length - 1);
      const position = positionAfter('epoch', inOrder[last]!, inOrder[last + 1]!);
      const reached = placeOf(position);
      const rest = inOrder.filter((place) => isAfter(place, reached));
      expect(rest).toEqual(inOrder.slice(last + 1));
    }),
  );
});

it('tells of a removal before it tells of what took over the row', () => {
  const removal = { revision: 1, id: 5, step: step.remove };
  const creation = { revision: 1, id: 5, step: step.put };
  expect(isAfter(creation, removal)).toBe(true);
  expect(isAfter(removal, creation)).toBe(false);
});

function isSamePlace(one: HistoryPlace, other: HistoryPlace): boolean {
  return !isAfter(one, other) && !isAfter(other, one);
}
