import { askChild } from '../servers/ask-child.ts';
import type { Contender } from '../servers/contender.ts';
import type { Workspace } from '../workspace.ts';

/** Starts the baseline in its own process with its own data; ready when this returns. */
export async function startBaseline(workspace: Workspace, size: number): Promise<Contender> {
  const directory = workspace.newDirectory('baseline');
  const child = workspace.fork(new URL('baseline-server.ts', import.meta.url), [directory, String(size)]);
  const { origin } = await askChild<{ origin: string }>(child);
  return { name: 'baseline', size, origin, healthPath: '/healthz', processId: child.pid! };
}
