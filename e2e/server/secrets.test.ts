import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, stationPath, writePath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

interface Try {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const station = stationPath('secrets');
const json = { 'Content-Type': 'application/json' };

/** Everywhere that a secret may get into by mistake, and a few places where it belongs. */
function wrongPlaces(secret: string, admin: string): Try[] {
  const allowed = { Authorization: `Bearer ${admin}` };
  return [
    { path: listPath(station, `?token=${secret}`), headers: allowed },
    { path: listPath(station, `?${secret}=1`), headers: allowed },
    { path: listPath(station, `?page.size=${secret}`), headers: allowed },
    { path: listPath(station, `?access_token=${secret}`) },
    { path: `/roster/v1/stations?${secret}`, headers: allowed },
    { path: `/${secret}` },
    { path: `/roster/v1/${secret}`, headers: allowed },
    { path: `/roster/v1/tokens/${secret}`, method: 'DELETE', headers: allowed },
    { path: `/roster/v1/resource-types/${secret}`, headers: allowed },
    {
      path: `/roster/v1/resource-types/${secret}`,
      method: 'PUT',
      headers: { ...allowed, ...json },
      body: '{}',
    },
    { path: `/roster/v1${station}/resources/${secret}`, headers: allowed },
    { path: `/roster/v1${station}/changes?since=${secret}`, headers: allowed },
    { path: listPath(stationPath(secret)), headers: allowed },
    { path: listPath(stationPath(secret)) },
    { path: listPath(station), headers: { Authorization: secret } },
    { path: listPath(station), headers: { Authorization: `Bearer ${secret}x` } },
    { path: listPath(station), headers: { Authorization: `Bearer ${secret}` } },
    { path: listPath(station), headers: { Authorization: `Token ${secret}` } },
    { path: listPath(station), headers: { Cookie: `roster_session=${secret}%20` } },
    { path: listPath(station), headers: { Cookie: `session=${secret}` } },
    { path: listPath(station), headers: { 'X-Api-Key': secret, 'Accept-Language': secret } },
    { path: listPath(station), headers: { ...allowed, 'Roster-Revision': secret, 'If-None-Match': secret } },
    { path: `/roster/v1${station}`, method: 'DELETE', headers: { ...allowed, 'If-Match': secret } },
    { path: '/roster/v1/tokens', method: 'POST', headers: { ...allowed, ...json }, body: secret },
    { path: '/roster/v1/tokens', method: 'POST', headers: { ...allowed, ...json }, body: `"${secret}"` },
    {
      path: '/roster/v1/tokens',
      method: 'POST',
      headers: { ...allowed, ...json },
      body: JSON.stringify({ name: secret, role: secret, scopes: [secret], expires_in: secret, [secret]: 1 }),
    },
    {
      path: '/roster/v1/tokens',
      method: 'POST',
      headers: { ...allowed, 'Content-Type': secret },
      body: '{}',
    },
    {
      path: '/roster/v1/session',
      method: 'POST',
      headers: json,
      body: JSON.stringify({ token: `${secret}x` }),
    },
    { path: '/roster/v1/session', method: 'POST', headers: json, body: JSON.stringify({ tokens: secret }) },
    { path: '/roster/v1/session', method: 'POST', headers: json, body: JSON.stringify([secret]) },
    { path: '/roster/v1/session', method: 'POST', headers: json, body: `{"token":"${secret}` },
    {
      path: writePath(station),
      method: 'POST',
      headers: { ...allowed, ...json },
      body: JSON.stringify([{ [secret]: 1 }]),
    },
    {
      path: writePath(station),
      method: 'POST',
      headers: { ...allowed, ...json },
      body: JSON.stringify([{ resource_id: secret, resource_type: secret, name: secret, state: secret }]),
    },
    {
      path: writePath(station),
      method: 'POST',
      headers: { ...allowed, 'Content-Type': 'text/csv' },
      body: `${secret}\n1\n`,
    },
    {
      path: writePath(station),
      method: 'POST',
      headers: { ...allowed, 'Content-Type': 'text/csv' },
      body: `name\n"${secret}`,
    },
    {
      path: `${writePath(station)}?mode=${secret}`,
      method: 'POST',
      headers: { ...allowed, ...json },
      body: '[]',
    },
  ];
}

/** Answers that repeat what was sent would show it on screens and in the logs of clients. */
async function tryAll(server: RunningServer, secret: string, admin: string): Promise<void> {
  for (const { path, ...init } of wrongPlaces(secret, admin)) {
    const response = await server.fetch(path, init);
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie').flat();
    expect([path, headers.join(' ') + (await response.text())]).toEqual([
      path,
      expect.not.stringContaining(secret),
    ]);
  }
  for (const line of [
    `GET http://x:${secret}@127.0.0.1${listPath(station)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\n${secret}\r\n\r\n`,
    `${secret} / HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /#${secret} HTTP/1.1\r\nHost: x\r\n\r\n`,
    `GET /%${secret} HTTP/1.1\r\nHost: x\r\n\r\n`,
  ]) {
    const connection = await server.connect();
    connection.send(line);
    expect((await connection.answer()).body.toString()).not.toContain(secret);
    connection.destroy();
  }
}

function searchFiles(directory: string, secret: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(secret));
}

it('keeps secrets out of logs, answers, the audit and the database, wherever they were put', async () => {
  const audit = temporaryDirectory();
  const server = await startServer({
    environment: {
      ROSTER_AUTH: 'on',
      ROSTER_LOG_LEVEL: 'trace',
      ROSTER_AUDIT_FILE: join(audit, 'audit.jsonl'),
    },
  });
  const admin = /^ {2}(roster_[0-9A-Za-z]{49})$/m.exec(server.process.stdout)![1]!;
  const headers = { Authorization: `Bearer ${admin}`, ...json };
  await server.fetch(`/roster/v1${station}`, { method: 'PUT', headers });
  const made = await server.fetch('/roster/v1/tokens', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'secret', role: 'reader', scopes: ['**'] }),
  });
  const { token } = (await made.json()) as { token: string };
  const jwt = [{ alg: 'RS256' }, { sub: 'someone', exp: 4e9 }, { signature: 'x'.repeat(40) }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  await tryAll(server, token, admin);
  await tryAll(server, jwt, admin);
  await server.process.stop();

  for (const secret of [token, jwt, admin]) {
    expect([secret, server.process.stderr]).toEqual([secret, expect.not.stringContaining(secret)]);
    expect(searchFiles(server.data, secret)).toEqual([]);
    expect(searchFiles(audit, secret)).toEqual([]);
  }
  expect(server.process.stdout.split(admin)).toHaveLength(2);
  expect(server.process.stderr).toContain('request failed');
  expect(searchFiles(audit, 'denial')).toHaveLength(1);
});
