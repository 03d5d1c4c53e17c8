import { buildWhenStale } from '../packages/console/build/build-when-stale.ts';

/** The browser tests look at the console as it would be served, so it is built once before all tests. */
export async function setup(): Promise<void> {
  await buildWhenStale();
}
