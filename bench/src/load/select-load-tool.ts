import type { Workspace } from '../workspace.ts';
import { createAutocannonTool } from './autocannon-tool.ts';
import type { LoadTool } from './load-slice.ts';
import { runToCompletion } from './run-to-completion.ts';
import { createWrkTool } from './wrk-tool.ts';

/** `wrk` takes far less of the machine from the server, so it is preferred where it is installed. */
export async function selectLoadTool(workspace: Workspace): Promise<LoadTool> {
  const found = await runToCompletion(workspace, 'sh', ['-c', 'command -v wrk || true']);
  return found.trim() === '' ? createAutocannonTool(workspace) : createWrkTool(workspace);
}
