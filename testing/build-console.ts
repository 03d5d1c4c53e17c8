import { buildWhenStale } from '../packages/console/build/build-when-stale.ts';

/** What looks at the console looks at it as it would be served, so it is built once before. */
export async function setup(): Promise<void> {
  await buildWhenStale();
}
