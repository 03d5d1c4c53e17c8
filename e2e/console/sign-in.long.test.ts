import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { TestIssuer, testClient } from '../../testing/test-issuer.ts';
import { type GuardedServer, startGuardedServer } from '../testing/guarded-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations, violationsInLightAndDark } from './testing/axe.ts';
import { consolePath, inBrowser, openTab, patiently, rowNames, seeRow } from './testing/console.ts';

async function startWithStation(): Promise<{ server: GuardedServer; station: Station }> {
  const server = await startGuardedServer();
  const station = await Station.create(server);
  await station.write(numbered(500));
  return { server, station };
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

inBrowser('lets nobody in without a token, and keeps it where no script finds it', async () => {
  const { server } = await startWithStation();
  const { page, complaints } = await openTab(server, `${consolePath()}?resource_display_name_prefix=vm-0001`);
  await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await signIn(page, `${server.adminToken.slice(0, -1)}~`);
  await page
    .getByRole('alert')
    .getByText(/mistyped or cut off/)
    .waitFor();
  await signIn(page, server.adminToken);
  await seeRow(page, 'vm-00010');
  await page.getByText('10 resources').waitFor();
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
  );
  expect(kept).not.toContain('roster_');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: 'roster_session', httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(await page.content()).not.toContain(server.adminToken);
  await page.reload();
  await seeRow(page, 'vm-00010');
  await page.getByRole('button', { name: 'first', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);
});

inBrowser('offers a reader nothing but to look, and says what a page is that they may not see', async () => {
  const { server } = await startWithStation();
  const { token } = await server.makeToken({
    name: 'viewer',
    role: 'reader',
    scopes: ['subscriptions/e2e/**'],
  });
  await Station.create(server, 'other');
  const { page } = await openTab(server, '/stations');
  await signIn(page, token);
  await page.getByRole('link', { name: 'station', exact: true }).click();
  await seeRow(page, 'vm-00000');
  for (const name of ['Import', 'Tokens']) expect(await page.getByRole('link', { name }).count()).toBe(0);
  await page.goto(`${server.url}/types`);
  await page.getByText('resource_type.compute.vm').waitFor();
  expect(await page.getByRole('button', { name: 'New type' }).count()).toBe(0);
  for (const path of ['/stations/demo/sample/zone-1/station-1', '/import', '/tokens']) {
    await page.goto(server.url + path);
    await page.getByRole('heading', { name: 'You do not have access to this page' }).waitFor();
    await page.getByText('subscriptions/e2e/**').waitFor();
  }
  await page.goto(`${server.url}/about`);
  await page.getByText('Reader', { exact: true }).waitFor();
});

inBrowser('offers a writer to import, and an admin of some stations no types', async () => {
  const { server } = await startWithStation();
  const writer = await server.makeToken({ role: 'writer' });
  const admin = await server.makeToken({ role: 'admin', scopes: ['subscriptions/e2e/**'] });
  const { page } = await openTab(server, '/stations');
  await signIn(page, writer.token);
  await page.getByRole('main').getByRole('link', { name: 'Import' }).click();
  await page.getByText('Choose a station').waitFor();
  await page.context().clearCookies();
  await page.goto(`${server.url}/types`);
  await signIn(page, admin.token);
  await page.getByText('resource_type.compute.vm').waitFor();
  expect(await page.getByRole('button', { name: 'New type' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Tokens' }).waitFor();
});

inBrowser('makes a token, shows it once, and revokes it after a question', async () => {
  const { server } = await startWithStation();
  const { page, complaints } = await openTab(server, '/tokens');
  await signIn(page, server.adminToken);
  await page.getByRole('button', { name: 'New token' }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Purpose').fill('nightly import');
  await page.getByLabel('Writer').check();
  await page.getByLabel('Scopes, one per line').fill('nonsense');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  await page
    .getByRole('alert')
    .getByText(/scope "nonsense"/)
    .waitFor();
  await page.getByLabel('Scopes, one per line').fill('subscriptions/e2e/**\nsubscriptions/lab/**\n');
  await page.getByRole('dialog').getByRole('combobox').selectOption('in 7 days');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { name: 'Token created' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
  const token = await page.evaluate<string>('navigator.clipboard.readText()');
  const session = await fetch(`${server.url}/roster/v1/session`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(await session.json()).toMatchObject({
    principal: {
      name: 'nightly import',
      role: 'writer',
      scopes: ['subscriptions/e2e/**', 'subscriptions/lab/**'],
    },
  });
  await page.getByRole('button', { name: 'I have copied it' }).click();
  expect(await page.content()).not.toContain(token);
  const row = page.getByRole('row').filter({ hasText: 'nightly import' });
  await row.getByText('by first').waitFor();
  await row.getByRole('button', { name: 'Revoke nightly import' }).click();
  await page.getByRole('dialog').getByText('cannot be undone').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  const after = await fetch(`${server.url}/roster/v1/session`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(after.status).toBe(401);
  expect(complaints).toEqual([]);
});

inBrowser('keeps the view when a token is revoked, asks for another, and goes on', async () => {
  const { server, station } = await startWithStation();
  const scopes = ['subscriptions/e2e/**'];
  const first = await server.makeToken({ name: 'viewer', role: 'reader', scopes });
  const { page } = await openTab(server, `${consolePath()}?resource_display_name_prefix=vm`);
  await signIn(page, first.token);
  await seeRow(page, 'vm-00000');
  await page.getByRole('grid').press('End');
  await seeRow(page, 'vm-00499');
  const shown = await rowNames(page);

  await server.revokeToken(first.id);
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  expect(await rowNames(page)).toEqual(shown);
  // Nothing behind it claims to be current.
  await page.getByText(/^As of \d\d:\d\d$/).waitFor();
  expect(await page.title()).toMatch(/^\(\?\) /);
  expect(await page.locator('[data-connection=lost]').count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await signIn(page, first.token);
  await dialog.getByRole('alert').waitFor();
  const second = await server.makeToken({ name: 'viewer', role: 'reader', scopes });
  await signIn(page, second.token);
  await dialog.waitFor({ state: 'detached' });
  await page.locator('[data-connection=live]').waitFor();
  expect(await rowNames(page)).toEqual(shown);
  await page.getByRole('grid').press('Home');
  await seeRow(page, 'vm-00000');
  await station.write([{ resource_id: 'vm-new' }]);
  await page.getByText('501 resources').waitFor();
});

inBrowser('lets an import that the end of a session has stopped be taken up again', async () => {
  const { server } = await startWithStation();
  const first = await server.makeToken({ name: 'importer', role: 'writer' });
  const { page } = await openTab(server, `${consolePath()}/import`);
  await signIn(page, first.token);
  await page.getByText('Drop a file here').waitFor();
  await server.revokeToken(first.id);
  const file = 'resource_id,name,resource_type\nnew-1,new-1,resource_type.compute.vm\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'inventory.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  const second = await server.makeToken({ name: 'importer', role: 'writer' });
  await signIn(page, second.token);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('so nothing was changed').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page.getByText('Written.').waitFor();
});

inBrowser('asks again when a session expires, also where nothing was asked of the server', async () => {
  const { server } = await startWithStation();
  const { token } = await server.makeToken({ name: 'brief', role: 'admin', expires_in: '20s' });
  const { page } = await openTab(server, '/about');
  await signIn(page, token);
  await page.getByText('Connected').waitFor();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  await signIn(page, server.adminToken);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'first', exact: true }).waitFor();
});

inBrowser('signs people in with an issuer, and beside the view when that ends', async () => {
  const issuer = await TestIssuer.start();
  onTestFinished(() => issuer[Symbol.asyncDispose]());
  issuer.account = { sub: 'u-1', preferred_username: 'ada', groups: ['guests'] };
  const server = await startGuardedServer({
    environment: {
      ROSTER_OIDC_ISSUER: issuer.url,
      ROSTER_OIDC_CLIENT_ID: testClient.id,
      ROSTER_OIDC_CLIENT_SECRET: testClient.secret,
      ROSTER_OIDC_NAME: 'Example login',
      ROSTER_OIDC_ROLES: 'sre=writer',
      ROSTER_OIDC_SCOPES: 'sre=subscriptions/e2e/**',
    },
  });
  issuer.allowRedirect(`${server.url}/roster/v1/session/oidc/callback`);
  await (await Station.create(server)).write(numbered(3));
  const path = `${consolePath()}?resource_display_name_prefix=vm`;
  const { page, complaints } = await openTab(server, path);
  await page.getByRole('link', { name: 'Continue with Example login' }).click();
  await page.getByText('have no role on this server').waitFor();
  expect(page.url()).toBe(server.url + path);

  issuer.account = { ...issuer.account, groups: ['sre'] };
  issuer.idTokenSeconds = 3600;
  await page.context().clearCookies();
  const clickedAtMs = performance.now();
  await page.getByRole('link', { name: 'Continue with Example login' }).click();
  await seeRow(page, 'vm-00002');
  const tookSeconds = (performance.now() - clickedAtMs) / 1000;
  expect(page.url()).toBe(server.url + path);
  await page.getByRole('button', { name: 'ada', exact: true }).click();
  await page.getByText('subscriptions/e2e/**').waitFor();

  // The page must be there before this ends.
  issuer.idTokenSeconds = Math.ceil(10 + 2 * tookSeconds);
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('link', { name: 'Continue with Example login' }).click();
  await seeRow(page, 'vm-00002');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor({ timeout: 120_000 });
  issuer.idTokenSeconds = 3600;
  await dialog.getByRole('button', { name: 'Continue with Example login' }).click();
  await dialog.waitFor({ state: 'detached' });
  await seeRow(page, 'vm-00002');
  await expect.poll(() => page.context().pages().length, patiently).toBe(1);
  expect(complaints).toEqual([]);
});

inBrowser('has no accessibility violations in light and in dark where people sign in', async () => {
  const { server } = await startWithStation();
  const { page } = await openTab(server, '/tokens');
  const check = async () => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const content = () => page.evaluate<number>('document.documentElement.scrollWidth');
      await expect.poll(content, patiently).toBeLessThanOrEqual(width);
      expect([width, await violationsInLightAndDark(page)]).toEqual([width, []]);
    }
  };
  await page.getByRole('heading', { name: 'Sign in to Roster' }).waitFor();
  await check();
  await page.getByLabel('Token', { exact: true }).fill('roster_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await check();
  await page.getByLabel('Token', { exact: true }).fill(server.adminToken);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Revoke first' }).waitFor();
  await check();
  await page.getByRole('button', { name: 'first', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await check();
});

inBrowser('asks in Chinese', async () => {
  const { server } = await startWithStation();
  const { page } = await openTab(server, '/tokens', { locale: 'zh-CN' });
  await page.getByLabel('令牌', { exact: true }).fill(server.adminToken);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('heading', { name: '令牌' }).waitFor();
  await page.getByRole('button', { name: '新建令牌' }).click();
  await page.getByRole('dialog').getByText('用途').waitFor();
});
