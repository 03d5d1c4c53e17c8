import { fileURLToPath } from 'node:url';
import type { Workspace } from '../workspace.ts';
import type { LoadTool, SliceResult } from './load-slice.ts';
import { runToCompletion } from './run-to-completion.ts';

const program = fileURLToPath(new URL('autocannon-program.ts', import.meta.url));

export function createAutocannonTool(workspace: Workspace): LoadTool {
  return {
    name: 'autocannon',
    async run(slice) {
      const output = await runToCompletion(workspace, process.execPath, [program, JSON.stringify(slice)]);
      return JSON.parse(output) as SliceResult;
    },
  };
}
