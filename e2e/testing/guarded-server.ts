import { type RunningServer, type StartOptions, startServer } from './start-server.ts';

interface NewToken {
  readonly name?: string;
  readonly role: 'reader' | 'writer' | 'admin';
  readonly scopes?: readonly string[];
  readonly expires_in?: string | null;
}

interface MadeToken {
  readonly id: string;
  readonly token: string;
}

export interface GuardedServer extends RunningServer {
  readonly adminToken: string;
  makeToken(token: NewToken): Promise<MadeToken>;
  revokeToken(id: string): Promise<void>;
}

/** A server that asks who someone is. `fetch` comes with the first admin token. */
export async function startGuardedServer(options: StartOptions = {}): Promise<GuardedServer> {
  const environment = { ...options.environment, ROSTER_AUTH: 'on' };
  const server = await startServer({ ...options, environment });
  const [adminToken] = /roster_\w{49}/.exec(server.process.stdout) ?? [];
  if (adminToken === undefined) throw new Error(`the greeting has no token: ${server.process.stdout}`);
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${adminToken}`, ...(init.headers as Record<string, string>) };
    return server.fetch(path, { ...init, headers });
  };
  return {
    ...server,
    adminToken,
    fetch: send,
    async makeToken(token) {
      const answer = await send('/roster/v1/tokens', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'made for a test', scopes: ['**'], ...token }),
      });
      if (!answer.ok) throw new Error(`the token was not made: ${await answer.text()}`);
      return (await answer.json()) as MadeToken;
    },
    async revokeToken(id) {
      const answer = await send(`/roster/v1/tokens/${id}`, { method: 'DELETE' });
      if (!answer.ok) throw new Error(`the token was not revoked: ${await answer.text()}`);
    },
  };
}
