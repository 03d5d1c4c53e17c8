import { RosterError } from '@roster/contract';
import { expect, it } from 'vitest';
import { problemAnswer } from './problem.ts';

it('tells those who write, and nobody else, what became of it when the store is away', () => {
  const error = new RosterError('store_unavailable', 'ECONNREFUSED 10.0.0.1');
  const detailFor = (isWrite: boolean) => problemAnswer(error, 'r', isWrite).problem.detail;
  expect(detailFor(false)).toBe('the store does not answer');
  expect(detailFor(true)).toBe('the store does not answer; nothing is known to have been written');
});
