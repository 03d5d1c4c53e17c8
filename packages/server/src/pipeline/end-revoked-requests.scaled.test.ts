import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { longOnly } from '../../../../testing/scale.ts';
import { ask, bearer } from '../testing/ask.ts';
import { record, TestServer } from '../testing/test-server.ts';

const station = '/subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t';
const resourceCount = 30_000;
const within = { timeout: 60_000 };
let server: TestServer;

interface MadeToken {
  readonly token: string;
  readonly id: string;
  readonly expires_at: string | null;
}

const manage = (method: string, path: string, body?: unknown) =>
  ask(server.url, { method, path: `/roster/v1${path}`, headers: bearer(server.firstToken!), body });

async function makeToken(given: object = {}): Promise<MadeToken> {
  const token = { name: 'test', role: 'admin', scopes: ['**'], ...given };
  return JSON.parse((await manage('POST', '/tokens', token)).body);
}

function begin(method: string, path: string, token: string): ClientRequest {
  const headers = { ...bearer(token), ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }) };
  const request = http.request(`${server.url}${path}`, { method, agent: false, headers });
  onTestFinished(() => void request.destroy());
  return request;
}

async function ended(request: ClientRequest): Promise<IncomingMessage> {
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** An answer of which nothing is read yet. */
async function open(path: string, token: string): Promise<IncomingMessage> {
  const response = await ended(begin('GET', path, token));
  expect(response.statusCode).toBe(200);
  return response;
}

/** The same with a token that lives for a second. A machine may interrupt the process for longer than that. */
async function openExpiring(path: string): Promise<{ token: string; answer: IncomingMessage }> {
  for (;;) {
    const { token, expires_at } = await makeToken({ expires_in: '1s' });
    const answer = await ended(begin('GET', path, token));
    if (answer.statusCode === 200) return { token, answer };
    expect(answer.statusCode).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at!));
  }
}

async function isWhole(response: IncomingMessage): Promise<boolean> {
  response.on('error', () => {}).resume();
  await new Promise((resolve) => response.once('close', resolve));
  return response.complete;
}

const untilRefused = (token: string) =>
  expect
    .poll(
      async () => (await ask(server.url, { path: '/roster/v1/stations', headers: bearer(token) })).status,
      within,
    )
    .toBe(401);

/** Two looks at who may go on. */
const afterChecks = () => new Promise((resolve) => setTimeout(resolve, 2_500));

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on' });
  await manage('PUT', station);
  const sku = 'x'.repeat(500);
  const records = Array.from({ length: resourceCount }, (_, at) => record(String(at), { sku }));
  expect((await manage('POST', `${station}/resources`, records)).status).toBe(200);
});
afterAll(() => server[Symbol.asyncDispose]());

const longAnswers = {
  list: `/monitor/ts/data/v1${station}/resources`,
  'NDJSON export': `/roster/v1${station}/export?format=ndjson`,
  'CSV export': `/roster/v1${station}/export?format=csv`,
};

longOnly(it)('lists and exports break off when their token is revoked, and no others', async () => {
  const [revoked, kept] = [await makeToken(), await makeToken()];
  const openAll = ({ token }: MadeToken) =>
    Promise.all(Object.values(longAnswers).map((path) => open(path, token)));
  const [cut, whole] = [await openAll(revoked), await openAll(kept)];
  await manage('DELETE', `/tokens/${revoked.id}`);
  await afterChecks();
  expect(await Promise.all(cut.map(isWhole))).toEqual([false, false, false]);
  expect(await Promise.all(whole.map(isWhole))).toEqual([true, true, true]);
});

longOnly(it)('a list breaks off when its token expires', async () => {
  const { token, answer } = await openExpiring(longAnswers.list);
  await untilRefused(token);
  await afterChecks();
  expect(await isWhole(answer)).toBe(false);
});

it.each([
  ['POST', `/roster/v1${station}/resources`],
  ['PUT', '/roster/v1/resource-types/resource_type.compute.vm'],
])('a body of %s %s is answered with 401 and closed when its token is revoked', async (method, path) => {
  const { token, id } = await makeToken();
  const upload = begin(method, path, token);
  upload.write('[');
  await once(upload, 'socket');
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  await expect.poll(async () => lastUse(id), within).not.toBeNull();
  await manage('DELETE', `/tokens/${id}`);
  const [response] = await answered;
  expect([response.statusCode, response.headers.connection]).toEqual([401, 'close']);
  response.resume();
  await once(response, 'close');
});

async function lastUse(id: string): Promise<unknown> {
  const { tokens } = JSON.parse((await manage('GET', '/tokens')).body);
  return tokens.find((each: { id: string }) => each.id === id).last_used_at;
}
