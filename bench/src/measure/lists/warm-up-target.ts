import { writeFileSync } from 'node:fs';
import type { LoadTarget } from '../../load/load-slice.ts';
import type { Workspace } from '../../workspace.ts';
import type { PreparedListCase } from './prepare-list-case.ts';

/** A mix of all cases at one size: a server warmed up with some cases only is slower at the others. */
export function warmUpTarget(workspace: Workspace, cases: readonly PreparedListCase[]): LoadTarget {
  const pathsFile = workspace.path(`warm-up-${cases[0]!.size}.txt`);
  writeFileSync(pathsFile, cases.flatMap((one) => one.samplePaths.map((path) => `${path}\n`)).join(''));
  return { pathsFile, start: 0 };
}
