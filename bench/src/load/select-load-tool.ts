import type { Workspace } from '../workspace.ts';
import { createAutocannonTool } from './autocannon-tool.ts';
import type { LoadTool, LoadToolName } from './load-slice.ts';
import { runToCompletion } from './run-to-completion.ts';
import { createWrkTool } from './wrk-tool.ts';

/** Prefers `wrk`, which uses far less CPU. */
export async function selectLoadTool(
  workspace: Workspace,
  wanted: LoadToolName | undefined,
): Promise<LoadTool> {
  if (wanted === 'autocannon') return createAutocannonTool(workspace);
  const found = await runToCompletion(workspace, 'sh', ['-c', 'command -v wrk || true']);
  if (found.trim() !== '') return createWrkTool(workspace);
  if (wanted === 'wrk') throw new Error('wrk is not installed; install the package wrk');
  return createAutocannonTool(workspace);
}
