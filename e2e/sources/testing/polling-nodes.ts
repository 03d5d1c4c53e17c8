import { PostgresServer } from '@roster/store/postgres-server';
import { expect, onTestFinished } from 'vitest';
import { type RunningServer, startServer } from '../../testing/start-server.ts';

/** Two nodes on one database; the first polls the sources. */
export async function startNodes(...sources: object[]): Promise<[RunningServer, RunningServer]> {
  const postgres = await PostgresServer.start();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const url = await postgres.createDatabase();
  const environment = { ROSTER_DATA: '', ROSTER_DATABASE_URL: url, ROSTER_SOURCES: JSON.stringify(sources) };
  const first = await startServer({ environment });
  await expect.poll(() => isPolling(first), { timeout: 60_000 }).toBe(true);
  return [first, await startServer({ environment })];
}

/** Only the node that polls has these metrics. */
export async function isPolling(node: RunningServer): Promise<boolean> {
  return (await (await node.fetch('/metrics')).text()).includes('roster_source_up{');
}
