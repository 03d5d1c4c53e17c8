import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type RosterClient } from './client.ts';
import { isDenied, isForbidden, isNotFound, isUnauthorized } from './guards.ts';
import { type RunningRoster, startRoster } from './testing/start-roster.ts';

const command = fileURLToPath(new URL('../../cli/bin/roster.js', import.meta.url));
const admin = execFileSync(process.execPath, [command, 'token', 'generate'], { encoding: 'utf8' }).trim();
const directory = mkdtempSync(path.join(os.tmpdir(), 'roster-client-'));
let roster: RunningRoster;

beforeAll(async () => {
  const file = path.join(directory, 'token');
  writeFileSync(file, admin);
  roster = await startRoster({ ROSTER_AUTH: 'on', ROSTER_BOOTSTRAP_TOKEN_FILE: file });
  await clientOf(admin).station('acme/g/z/t').manage.create();
});
afterAll(async () => {
  await roster.stop();
  rmSync(directory, { recursive: true });
});

const clientOf = (token?: string): RosterClient => createClient({ baseUrl: roster.url, token });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a client with a token', () => {
  it('makes, lists and revokes tokens', async () => {
    const { manage } = clientOf(admin);
    const { token, ...made } = await manage.createToken({
      name: 'reads',
      role: 'reader',
      scopes: ['acme/**'],
    });
    expect(made).toMatchObject({
      name: 'reads',
      role: 'reader',
      created_by: expect.stringMatching(/^first \(tok_/),
      last_used_at: null,
    });
    expect((await clientOf(token).station('acme/g/z/t').list()).resources).toEqual([]);
    const listed = (await manage.tokens()).find(({ id }) => id === made.id);
    expect({ ...listed, last_used_at: null }).toEqual(made);
    await manage.revokeToken(made.id);
    expect(isUnauthorized(await failureOf(clientOf(token).station('acme/g/z/t').list()))).toBe(true);
    expect(isNotFound(await failureOf(manage.revokeToken(made.id)))).toBe(true);
  });

  it('knows who it is', async () => {
    const { principal, authentication } = await clientOf(admin).manage.session();
    expect([authentication, principal]).toEqual([
      'required',
      { name: 'first', kind: 'token', role: 'admin', scopes: ['**'], expires_at: null },
    ]);
    expect((await clientOf().manage.session()).principal).toBeNull();
  });

  it('distinguishes an invalid token from a missing permission', async () => {
    const { token } = await clientOf(admin).manage.createToken({
      name: 'x',
      role: 'reader',
      scopes: ['lab/**'],
    });
    const forbidden = await failureOf(clientOf(token).station('acme/g/z/t').list());
    expect([isForbidden(forbidden), isUnauthorized(forbidden), isDenied(forbidden)]).toEqual([
      true,
      false,
      true,
    ]);
    for (const wrong of [undefined, 'x', admin.slice(0, -1)]) {
      const unknown = await failureOf(clientOf(wrong).station('acme/g/z/t').list());
      expect([isForbidden(unknown), isUnauthorized(unknown), isDenied(unknown)]).toEqual([false, true, true]);
      if (wrong) expect(String(unknown)).not.toContain(`Bearer ${wrong}`);
    }
  });

  it('ends a watch when its token is revoked', async () => {
    const { manage } = clientOf(admin);
    const { token, id } = await manage.createToken({ name: 'watches', role: 'reader', scopes: ['acme/**'] });
    const heard = failureOf(
      (async () => {
        for await (const _ of clientOf(token).station('acme/g/z/t').manage.watch())
          await manage.revokeToken(id);
      })(),
    );
    expect(isUnauthorized(await heard)).toBe(true);
  });
});
