import { buildWhenStale } from './build-when-stale.ts';

try {
  await buildWhenStale(() => process.stdout.write('Building the console …\n'));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The console could not be built, and is not shown: ${reason}\n`);
}
