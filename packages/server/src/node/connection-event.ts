import type { Server } from 'node:http';
import https from 'node:https';

/** What a server emits for each connection that requests can come from. */
export function connectionEvent(server: Server): 'connection' | 'secureConnection' {
  return server instanceof https.Server ? 'secureConnection' : 'connection';
}
