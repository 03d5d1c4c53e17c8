import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ChangePosition, changePositionOf, isAfter, positionAfter, step } from './history.ts';

const aPosition: fc.Arbitrary<ChangePosition> = fc.record({
  revision: fc.integer({ min: 1, max: 3 }),
  id: fc.integer({ min: 1, max: 3 }),
  step: fc.constantFrom(step.remove, step.put),
});

it('gives a position that everything read lies at or before, and everything else behind', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(aPosition, { minLength: 2, comparator: isSamePosition }),
      fc.nat(),
      (positions, at) => {
        const inOrder = positions.sort((one, other) => (isAfter(one, other) ? 1 : -1));
        const last = at % (inOrder.length - 1);
        const position = positionAfter('epoch', inOrder[last]!, inOrder[last + 1]!);
        const reached = changePositionOf(position);
        const rest = inOrder.filter((each) => isAfter(each, reached));
        expect(rest).toEqual(inOrder.slice(last + 1));
      },
    ),
  );
});

it('tells of a removal before it tells of what took over the row', () => {
  const removal = { revision: 1, id: 5, step: step.remove };
  const creation = { revision: 1, id: 5, step: step.put };
  expect(isAfter(creation, removal)).toBe(true);
  expect(isAfter(removal, creation)).toBe(false);
});

function isSamePosition(one: ChangePosition, other: ChangePosition): boolean {
  return !isAfter(one, other) && !isAfter(other, one);
}
