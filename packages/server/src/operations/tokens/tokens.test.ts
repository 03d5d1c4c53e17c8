import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, ask, bearer } from '../../testing/ask.ts';
import { TestServer } from '../../testing/test-server.ts';

const day = 86_400_000;
let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start({ ROSTER_AUTH: 'on' });
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (token: string, method: string, path: string, body?: unknown): Promise<Answered> =>
  ask(server.url, {
    method,
    path: `/roster/v1${path}`,
    headers: bearer(token),
    ...(body !== undefined && { body }),
  });

const askFor = (given: object, maker = server.firstToken!) =>
  call(maker, 'POST', '/tokens', { name: 'test', role: 'reader', scopes: ['acme/**'], ...given });

async function make(
  given: object,
  maker?: string,
): Promise<Record<string, unknown> & { token: string; id: string }> {
  const { status, body } = await askFor(given, maker);
  expect([status, body]).toEqual([201, expect.anything()]);
  return JSON.parse(body);
}

/** A token that was accepted, and lives for a second. */
async function makeShortLived(): Promise<string> {
  for (;;) {
    const { token, expires_at } = await make({ expires_in: '1s' });
    const { status } = await call(token, 'GET', '/stations');
    // A machine may interrupt the process for longer than that.
    if (Date.now() >= Date.parse(expires_at as string)) continue;
    expect(status).toBe(200);
    return token;
  }
}

const listed = async (token = server.firstToken!) =>
  JSON.parse((await call(token, 'GET', '/tokens')).body).tokens;

describe('a token', () => {
  it('is shown once, to nobody in between, and works at once', async () => {
    const { status, headers, body } = await askFor({ name: 'nightly', role: 'writer', expires_in: '12h' });
    const { token, ...view } = JSON.parse(body);
    expect([status, headers['cache-control']]).toEqual([201, 'no-store']);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(view).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-z]{12}$/),
      name: 'nightly',
      role: 'writer',
      scopes: ['subscriptions/acme/**'],
      created_at: expect.any(String),
      created_by: expect.stringMatching(/^first \(tok_[0-9a-z]{12}\)$/),
      maker_id: expect.stringMatching(/^tok_[0-9a-z]{12}$/),
      expires_at: new Date(Date.parse(view.created_at) + day / 2).toISOString(),
      last_used_at: null,
    });
    expect((await call(token, 'GET', '/stations')).status).toBe(200);
    const { last_used_at, ...same } = (await listed()).find(({ id }: { id: string }) => id === view.id);
    expect({ ...same, last_used_at: null }).toEqual(view);
    expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(Date.parse(view.created_at));
  });

  it('lives for 90 days unless asked otherwise', async () => {
    const { created_at, expires_at } = await make({});
    expect(Date.parse(expires_at as string) - Date.parse(created_at as string)).toBe(90 * day);
    expect((await make({ expires_in: null })).expires_at).toBeNull();
  });

  it('is no longer accepted when it has expired', async () => {
    const token = await makeShortLived();
    await sleep(1_100);
    const { status, body } = await call(token, 'GET', '/stations');
    expect([status, body]).toEqual([401, expect.stringContaining('has expired')]);
  });

  it('takes what it made with it when that is asked for, and else names it', async () => {
    const maker = await make({ role: 'admin' });
    const made = JSON.parse((await askFor({}, maker.token)).body) as { id: string; maker_id: string };
    const expired = JSON.parse((await askFor({ expires_in: '1s' }, maker.token)).body) as { id: string };
    expect(made.maker_id).toBe(maker.id);
    await sleep(1_100);
    const wrong = await call(server.firstToken!, 'DELETE', `/tokens/${maker.id}?cascade=maybe`);
    expect([wrong.status, JSON.parse(wrong.body).parameter]).toEqual([400, 'cascade']);
    const alone = await call(server.firstToken!, 'DELETE', `/tokens/${maker.id}?cascade=false`);
    expect(JSON.parse(alone.body)).toEqual({ revoked: [maker.id], still_valid: [made.id] });
    const second = await make({ role: 'admin' });
    const child = JSON.parse((await askFor({}, second.token)).body) as { id: string };
    const both = await call(server.firstToken!, 'DELETE', `/tokens/${second.id}?cascade=true`);
    const { revoked, still_valid } = JSON.parse(both.body);
    expect([revoked.toSorted(), still_valid]).toEqual([[child.id, second.id].toSorted(), []]);
    const left = JSON.parse((await call(server.firstToken!, 'GET', '/tokens')).body).tokens as {
      id: string;
    }[];
    expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining([made.id, expired.id]));
    expect(left.map(({ id }) => id)).not.toContain(child.id);
  });

  it('is no longer accepted when it was revoked, by itself too', async () => {
    const { token, id } = await make({ role: 'admin' });
    expect((await call(token, 'DELETE', `/tokens/${id}`)).status).toBe(200);
    expect((await call(token, 'GET', '/stations')).status).toBe(401);
    const again = await call(server.firstToken!, 'DELETE', `/tokens/${id}`);
    expect([again.status, JSON.parse(again.body).code]).toEqual([404, 'token_not_found']);
  });

  it('cannot be made of a bad body', async () => {
    for (const body of [
      {},
      [],
      'x',
      { name: 'x', role: 'owner', scopes: ['**'] },
      { name: 'x', role: 'reader' },
    ]) {
      expect((await call(server.firstToken!, 'POST', '/tokens', body)).status).toBe(
        typeof body === 'string' ? 415 : 400,
      );
    }
    expect((await call(server.firstToken!, 'POST', '/tokens?name=x', {})).status).toBe(400);
  });
});

describe('who makes a token', () => {
  it('gives no wider scope than its own', async () => {
    const { token } = await make({ role: 'admin', scopes: ['acme/**', 'other/g/*/*'] });
    for (const scopes of [['acme/**'], ['acme/g/z/prod-*', 'other/g/z/x'], ['acme/*/**']]) {
      expect((await askFor({ scopes }, token)).status).toBe(201);
    }
    for (const scopes of [['**'], ['*/**'], ['acme*/**'], ['other/**'], ['acme/**', 'else/**']]) {
      const { status, body } = await askFor({ scopes }, token);
      expect([status, JSON.parse(body).code]).toEqual([403, 'forbidden']);
    }
  });

  it('gives no longer life than its own', async () => {
    const { token, expires_at } = await make({ role: 'admin', expires_in: '1h' });
    expect((await askFor({ expires_in: '2h' }, token)).status).toBe(403);
    expect((await askFor({ expires_in: null }, token)).status).toBe(403);
    expect((await make({ expires_in: '30m' }, token)).expires_at).not.toBe(expires_at);
    expect((await make({}, token)).expires_at).toBe(expires_at);
  });

  it('sees and revokes only what is within its own scopes', async () => {
    const { token, id } = await make({ role: 'admin', scopes: ['mine/**'] });
    const { id: inside } = await make({ scopes: ['mine/g/**'] });
    const { id: partly } = await make({ scopes: ['mine/g/**', 'theirs/**'] });
    expect((await listed(token)).map((each: { id: string }) => each.id)).toEqual([id, inside]);
    expect((await call(token, 'DELETE', `/tokens/${partly}`)).status).toBe(404);
    const [other, missing] = [
      await call(token, 'DELETE', `/tokens/${partly}`),
      await call(token, 'DELETE', '/tokens/tok_000000000000'),
    ];
    expect(JSON.parse(other.body).code).toBe(JSON.parse(missing.body).code);
    expect((await call(token, 'DELETE', `/tokens/${inside}`)).status).toBe(200);
    expect((await listed()).map((each: { id: string }) => each.id)).toContain(partly);
  });
});

describe('a scope', () => {
  it('decides which stations are listed and counted, with exact totals', async () => {
    for (const subscription of ['acme', 'acme-2', 'other']) {
      for (const name of ['a', 'b']) {
        const path = `/subscriptions/${subscription}/resourceGroups/g/zones/z/telemetryStations/${name}`;
        await call(server.firstToken!, 'PUT', path);
      }
    }
    const seen = async (scopes: string[], query = '') => {
      const { token } = await make({ scopes });
      const { stations, page } = JSON.parse((await call(token, 'GET', `/stations${query}`)).body);
      const names = stations.map(
        (each: Record<string, string>) => `${each.subscription_name}/${each.telemetry_station_name}`,
      );
      return [names.join(' '), page.total];
    };
    expect(await seen(['**'])).toEqual(['acme/a acme/b acme-2/a acme-2/b other/a other/b', 6]);
    expect(await seen(['acme/**'])).toEqual(['acme/a acme/b', 2]);
    expect(await seen(['acme/**', '*/*/*/a'])).toEqual(['acme/a acme/b acme-2/a other/a', 4]);
    expect(await seen(['acme/**', 'other/**'], '?page.size=1&page.offset=2')).toEqual(['other/a', 4]);
    expect(await seen(['acme/**'], '?subscription_name=other')).toEqual(['', 0]);
    expect(await seen(['nobody/**'])).toEqual(['', 0]);
  });
});

describe('where authentication is off', () => {
  it('no token can be made: anyone could, and it would be valid later on', async () => {
    await using open = await TestServer.start();
    const body = { name: 'later', role: 'admin', scopes: ['**'] };
    const made = await ask(open.url, { method: 'POST', path: '/roster/v1/tokens', body });
    expect([made.status, JSON.parse(made.body)]).toEqual([
      409,
      expect.objectContaining({
        code: 'authentication_off',
        detail: expect.stringContaining('ROSTER_AUTH=on'),
      }),
    ]);
    const { body: text } = await ask(open.url, { path: '/roster/v1/tokens' });
    expect(JSON.parse(text).tokens).toEqual([]);
  });
});
