import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { longOnly, shortOnly } from '../../testing/scale.ts';
import { type RunningServer, spawnServer, startServer } from '../testing/start-server.ts';
import { listPath, Station, stationPath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

interface Entry {
  readonly event: string;
  readonly operation: string;
  readonly who: {
    readonly name: string;
    readonly kind: string;
    readonly id: string;
    readonly role: string;
  } | null;
  readonly [member: string]: unknown;
}

const auditFile = () => join(temporaryDirectory(), 'audit.jsonl');
const printedToken = (text: string) => /^ {2}(roster_[0-9A-Za-z]{49})$/m.exec(text)![1]!;
const linesOf = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
const startWith = (file: string, more: Record<string, string> = {}) =>
  startServer({ environment: { ROSTER_AUTH: 'on', ROSTER_AUDIT_FILE: file, ...more } });
const put = (server: RunningServer, path: string, token?: string) =>
  server.fetch(`/roster/v1${path}`, {
    method: 'PUT',
    ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
  });

shortOnly(it)('has a line for every write and every denial, and none for what was read', async () => {
  const file = auditFile();
  const server = await startWith(file);
  const token = printedToken(server.process.stdout);
  const path = stationPath('audited');
  const headers = { Authorization: `Bearer ${token}` };
  const send = (method: string, rest: string, body?: unknown) =>
    server.fetch(`/roster/v1${rest}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const written: Response[] = [
    await send('PUT', path),
    await send('POST', `${path}/resources`, [
      { resource_id: 'a', resource_type: 'resource_type.x.y', name: 'a' },
    ]),
    await send('DELETE', `${path}/resources/a`),
    await send('PUT', '/resource-types/resource_type.x.z', {}),
    await send('DELETE', '/resource-types/resource_type.x.z'),
    await send('POST', '/tokens', { name: 'made', role: 'reader', scopes: ['acme/**'] }),
    await send('POST', `${path}/resources`, [{ resource_id: 'b' }]),
    await send('DELETE', path),
    await send('POST', '/session', { token }),
  ];
  const reader = ((await written[5]!.json()) as { token: string; id: string }) ?? {};
  const denied = [
    await server.fetch(listPath(path)),
    await server.fetch(listPath(path), { headers: { Authorization: `Bearer ${reader.token}` } }),
    await put(server, path, reader.token),
  ];
  await send('POST', `${path}/resources?dry_run=true`, []);
  await server.fetch(listPath(path), { headers });
  await server.fetch('/roster/v1/stations', { headers });

  const entries = linesOf(file);
  expect(
    entries.map(({ event, operation, status, code }) => [event, operation, status, code ?? ''].join(' ')),
  ).toEqual([
    'write createStation 201 ',
    'write writeResources 200 ',
    'write removeResource 200 ',
    'write putType 201 ',
    'write deleteType 204 ',
    'write createToken 201 ',
    'write writeResources 422 invalid_records',
    'write deleteStation 204 ',
    'write createSession 200 ',
    'denial listResources 401 unauthorized',
    'denial listResources 403 forbidden',
    'denial createStation 403 forbidden',
  ]);
  for (const [at, response] of [...written, ...denied].entries()) {
    const { time, from, request_id } = entries[at]!;
    expect(from).toBe('127.0.0.1');
    expect(Math.abs(Date.parse(time as string) - Date.now())).toBeLessThan(120_000);
    const named = response.headers.get('x-request-id');
    const id = named ?? ((await response.json()) as { request_id: string }).request_id;
    expect(request_id).toBe(id);
  }
  const first = { name: 'first', kind: 'token', id: expect.stringMatching(/^tok_/), role: 'admin' };
  expect(entries[1]).toMatchObject({
    who: first,
    station: path.slice(1),
    revision: written[1]!.headers.get('roster-revision'),
  });
  expect(entries[2]).toMatchObject({ who: first, target: 'a' });
  expect(entries[3]).toMatchObject({ target: 'resource_type.x.z' });
  expect(entries[5]).toMatchObject({ target: reader.id });
  expect(entries[8]).toMatchObject({ who: first });
  expect(entries[9]).toMatchObject({ who: null, station: path.slice(1) });
  expect(entries[10]).toMatchObject({ who: { name: 'made', id: reader.id, role: 'reader' } });
});

shortOnly(it)('cannot be forged by names', async () => {
  const file = auditFile();
  const server = await startWith(file);
  const forged = '{"event":"write","who":{"name":"root"}}';
  const hostile = encodeURIComponent(`x\n${forged}\r\n\u001b[2J\u202e\u2028\u0085`);
  expect((await put(server, stationPath(hostile))).status).toBe(401);
  expect((await put(server, stationPath(hostile), printedToken(server.process.stdout))).status).toBe(400);
  const text = readFileSync(file, 'utf8');
  expect(text.split('\n')).toHaveLength(3);
  expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
  expect(linesOf(file).map(({ operation }) => operation)).toEqual(['createStation', 'createStation']);
});

longOnly(it)('tells whom a trusted proxy speaks for', async () => {
  const file = auditFile();
  const server = await startWith(file, { ROSTER_TRUST_PROXY: '127.0.0.1' });
  await server.fetch(listPath(stationPath('x')), { headers: { 'X-Forwarded-For': '203.0.113.7' } });
  expect(linesOf(file)[0]).toMatchObject({ from: '203.0.113.7' });
});

longOnly(it)('is in the log when it has no file, whatever the level of the log', async () => {
  const server = await startServer({ environment: { ROSTER_AUDIT_FILE: '', ROSTER_LOG_LEVEL: 'fatal' } });
  await Station.create(server);
  await expect.poll(() => server.process.stderr).toContain('"msg":"audit"');
  const { audit } = JSON.parse(server.process.stderr) as { audit: Entry };
  expect(audit).toMatchObject({ event: 'write', operation: 'createStation', who: { kind: 'anonymous' } });
});

longOnly(it)('goes on in a new file after the old one was moved away and SIGHUP was sent', async () => {
  const file = auditFile();
  const server = await startServer({ environment: { ROSTER_AUDIT_FILE: file } });
  await put(server, stationPath('before'));
  renameSync(file, `${file}.1`);
  await put(server, stationPath('between'));
  server.process.signal('SIGHUP');
  await expect
    .poll(async () => {
      await put(server, stationPath('after'));
      return linesOf(`${file}.1`).length;
    })
    .toBeGreaterThan(1);
  await expect.poll(() => linesOf(file).length).toBeGreaterThan(0);
  expect(server.process.hasExited).toBe(false);
});

shortOnly(it)(
  'is missed loudly: a file that cannot be written stops the start, and later is told in the log',
  async () => {
    const { process } = spawnServer({ environment: { ROSTER_AUDIT_FILE: '/dev/null/audit' } });
    expect((await process.exited).code).toBe(1);
    expect(process.stderr).toMatch(/^roster: the audit cannot be written to \/dev\/null\/audit: ENOTDIR\n$/);
    const server = await startServer({ environment: { ROSTER_AUDIT_FILE: '/dev/full' } });
    expect((await put(server, stationPath('x'))).status).toBe(201);
    await expect.poll(() => server.process.stderr).toContain('the audit cannot be written');
  },
);
