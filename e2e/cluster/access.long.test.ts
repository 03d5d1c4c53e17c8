import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresServer } from '@roster/store/postgres-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, spawnServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, toNdjson, writePath } from '../testing/station.ts';

let postgres: PostgresServer;
/** What the interface promises, in which the machine's noise is not counted. */
const withinMs = 5_000;
const slackMs = 10_000;

beforeAll(async () => {
  postgres = await PostgresServer.start();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const station = '/subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/t';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const printedToken = (text: string) => /^ {2}(roster_[0-9A-Za-z]{49})$/m.exec(text)?.[1];

async function nodeSettings(): Promise<Record<string, string>> {
  const url = await postgres.createDatabase();
  return { ROSTER_AUTH: 'on', ROSTER_DATA: '', ROSTER_DATABASE_URL: url, ROSTER_DATABASE_POOL: '8' };
}

interface Nodes {
  readonly a: RunningServer;
  readonly b: RunningServer;
  readonly admin: string;
  readonly databaseUrl: string;
}

async function startNodes(): Promise<Nodes> {
  const environment = await nodeSettings();
  const a = await startServer({ environment });
  const admin = printedToken(a.process.stdout)!;
  const b = await startServer({ environment });
  expect(printedToken(b.process.stdout)).toBeUndefined();
  await a.fetch(`/roster/v1${station}`, { method: 'PUT', headers: bearer(admin) });
  return { a, b, admin, databaseUrl: environment.ROSTER_DATABASE_URL! };
}

const askForToken = (node: RunningServer, maker: string, given: object = {}) =>
  node.fetch('/roster/v1/tokens', {
    method: 'POST',
    headers: { ...bearer(maker), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'test', role: 'writer', scopes: ['acme/**'], ...given }),
  });

interface MadeToken {
  readonly token: string;
  readonly id: string;
  readonly expires_at: string | null;
}

async function makeToken(node: RunningServer, maker: string, given: object = {}): Promise<MadeToken> {
  const response = await askForToken(node, maker, given);
  expect(response.status).toBe(201);
  return (await response.json()) as MadeToken;
}

async function lastUseOf(node: RunningServer, maker: string, id: string): Promise<string | null | undefined> {
  const response = await node.fetch('/roster/v1/tokens', { headers: bearer(maker) });
  const { tokens } = (await response.json()) as { tokens: { id: string; last_used_at: string | null }[] };
  return tokens.find((each) => each.id === id)?.last_used_at;
}

const revoke = (node: RunningServer, maker: string, id: string) =>
  node.fetch(`/roster/v1/tokens/${id}`, { method: 'DELETE', headers: bearer(maker) });
const statusOf = async (node: RunningServer, token: string) =>
  (await node.fetch(listPath(station, '?page.size=1'), { headers: bearer(token) })).status;

it('makes one first token when several nodes start at once', async () => {
  const environment = await nodeSettings();
  const started = Array.from({ length: 3 }, () => spawnServer({ environment }));
  const origins = await Promise.all(started.map(({ process }) => process.address()));
  const tokens = started.flatMap(({ process }) => printedToken(process.stdout) ?? []);
  expect(tokens).toHaveLength(1);
  for (const { origin } of origins) {
    expect((await fetch(`${origin}/roster/v1/tokens`, { headers: bearer(tokens[0]!) })).status).toBe(200);
  }
});

it('accepts a token at once on another node, and not any more soon after it was revoked', async () => {
  const { a, b, admin } = await startNodes();
  for (let round = 0; round < 5; round++) {
    const { token, id } = await makeToken(a, admin);
    expect(await statusOf(b, token)).toBe(200);
    expect((await revoke(a, admin, id)).status).toBe(200);
    const revokedAt = performance.now();
    expect(await statusOf(a, token)).toBe(401);
    while ((await statusOf(b, token)) !== 401) {
      expect(performance.now() - revokedAt).toBeLessThan(withinMs + slackMs);
      await sleep(100);
    }
  }
});

it('ends open streams of a token that was revoked on another node, or that expires', async () => {
  const { a, b, admin } = await startNodes();
  const ask = (token: string) => b.fetch(`/roster/v1${station}/changes/stream`, { headers: bearer(token) });
  const open = async (token: string) => {
    const response = await ask(token);
    expect(response.status).toBe(200);
    return response;
  };
  const openExpiring = async () => {
    for (;;) {
      const { token, expires_at } = await makeToken(a, admin, { expires_in: '2s' });
      const response = await ask(token);
      if (response.status === 200) return response;
      // A machine may interrupt the process for longer than that.
      expect(response.status).toBe(401);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at!));
    }
  };
  const endOf = (stream: Response) => stream.text().then(() => performance.now());
  const revoked = await makeToken(a, admin);
  const kept = await makeToken(a, admin);
  const keptStream = await open(kept.token);
  let isKeptOpen = true;
  const keptEnd = endOf(keptStream).then(() => {
    isKeptOpen = false;
  });
  const ends = [endOf(await open(revoked.token)), endOf(await openExpiring())] as const;
  await revoke(a, admin, revoked.id);
  const since = performance.now();
  for (const end of ends) expect((await end) - since).toBeLessThan(withinMs + slackMs);
  expect(isKeptOpen).toBe(true);
  await revoke(a, admin, kept.id);
  await keptEnd;
});

it('makes no token for one that was revoked on another node just now', async () => {
  const { a, b, admin } = await startNodes();
  const { token, id } = await makeToken(a, admin, { role: 'admin' });
  expect(await statusOf(b, token)).toBe(200);
  await revoke(a, admin, id);
  expect((await askForToken(b, token)).status).toBe(401);
});

it('counts the tokens of all nodes: there are at most 10 000', async () => {
  const { a, admin, databaseUrl } = await startNodes();
  await postgres.query(
    `INSERT INTO tokens (id, name, hash, role, scopes, created_ms, created_by)
     SELECT 'tok_' || n, 'many', 'hash ' || n, 'reader', '{**}', 0, 'test' FROM generate_series(2, 10000) AS n`,
    databaseUrl,
  );
  const refused = await askForToken(a, admin);
  expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'too_many_tokens' }]);
  await postgres.query("DELETE FROM tokens WHERE id = 'tok_2'", databaseUrl);
  expect((await askForToken(a, admin)).status).toBe(201);
});

it('does not write what a token began to send before it was revoked', async () => {
  const { a, b, admin } = await startNodes();
  const { token, id } = await makeToken(a, admin);
  const body = toNdjson(numbered(100));
  const upload = await b.connect();
  const head = `POST ${writePath(station)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  upload.send(
    `${head}Content-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 99)}`,
  );
  await expect.poll(() => lastUseOf(b, admin, id)).not.toBeNull();
  await revoke(a, admin, id);
  while ((await statusOf(b, token)) !== 401) await sleep(100);
  upload.send(body.slice(99));
  expect((await upload.answer('POST')).status).toBe(401);
  const { page } = (await (
    await b.fetch(listPath(station, '?page.size=1'), { headers: bearer(admin) })
  ).json()) as {
    page: { total: number };
  };
  expect(page.total).toBe(0);
});

const waitingForLocks = `SELECT count(*)::int FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

it('says what became of a deletion that is under way when its token is revoked', async () => {
  const { b, admin, databaseUrl } = await startNodes();
  const { token, id } = await makeToken(b, admin, { role: 'admin' });
  const release = await postgres.hold("SELECT FROM stations WHERE name = 't' FOR UPDATE", databaseUrl);
  const deletion = await b.connect();
  const head = `DELETE /roster/v1${station} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  deletion.send(`${head}Content-Length: 9\r\n\r\n`);
  await expect.poll(() => postgres.query(waitingForLocks, databaseUrl)).toEqual([{ count: 1 }]);
  await revoke(b, admin, id);
  expect(await statusOf(b, token)).toBe(401);
  // Two looks at who may go on.
  await sleep(2_500);
  expect(deletion.bytesRead).toBe(0);
  await release();
  expect((await deletion.answer('DELETE')).status).toBe(204);
  expect(await statusOf(b, admin)).toBe(404);
});

it('does not trust what it knew when the database has been away for long', async () => {
  const { b, admin } = await startNodes();
  expect(await statusOf(b, admin)).toBe(200);
  await postgres.stop();
  await sleep(withinMs + 1_000);
  for (const path of ['/roster/v1/session', listPath(station, '?page.size=1')]) {
    const response = await b.fetch(path, { headers: bearer(admin) });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  }
  expect((await b.fetch('/healthz')).status).toBe(200);
  await postgres.start();
  while ((await statusOf(b, admin)) !== 200) await sleep(100);
});

it('remembers when a token was last used, whichever node stops', async () => {
  const { a, b, admin } = await startNodes();
  const { token, id } = await makeToken(a, admin);
  expect(await statusOf(b, token)).toBe(200);
  await b.process.stop();
  expect(await lastUseOf(a, admin, id)).toEqual(expect.any(String));
});
