import { expect, it } from 'vitest';
import { NewIn } from './new-in.ts';

const found = (...names: string[]) => names.map((name) => ({ key: name, name }));

it('tells of what has come, once, and again when it returns', () => {
  const view = new NewIn();
  expect(view.update(found('a'))).toEqual([]);
  expect(view.update(found('a', 'b'))).toEqual(found('b'));
  expect(view.update(found('a', 'b'))).toEqual([]);
  expect(view.update(found())).toEqual([]);
  expect(view.update(found('a'))).toEqual(found('a'));
});
