import type { Head } from './store.ts';

/** Whether a state shows everything that another one shows. */
export function isAtOrPast(have: Head, wanted: Head): boolean {
  if (have.epoch !== wanted.epoch) return false;
  return have.number > wanted.number || (have.number === wanted.number && have.revId === wanted.revId);
}
