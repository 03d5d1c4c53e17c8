import type { LoadTarget } from '../load/load-slice.ts';
import type { Workspace } from '../workspace.ts';
import { askChild } from './ask-child.ts';
import type { CaptureRequest } from './capture-responses.ts';
import type { RawServerMessage } from './raw-server.ts';

/** The raw `node:http` server, seen from the harness. */
export interface RawServer {
  readonly origin: string;
  readonly processId: number;
  capture(request: CaptureRequest): Promise<void>;
  /** Makes every request get the next response of this set, starting with the first one of `target`. */
  select(set: string, target?: LoadTarget): Promise<void>;
}

export async function startRawServer(workspace: Workspace): Promise<RawServer> {
  const child = workspace.fork(new URL('raw-server.ts', import.meta.url));
  const { origin } = await askChild<{ origin: string }>(child);
  const tell = async (message: RawServerMessage) => {
    await askChild(child, message);
  };
  return {
    origin,
    processId: child.pid!,
    capture: (request) => tell({ capture: request }),
    select: (set, target) => tell({ select: set, start: target && 'start' in target ? target.start : 0 }),
  };
}
