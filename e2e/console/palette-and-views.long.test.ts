import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import { consolePath, inBrowser, openTab, patiently, seeRow } from './testing/console.ts';

async function startWithStations() {
  const server = await startServer();
  const east = await Station.create(server, 'east');
  await east.write(numbered(20, 'vm'));
  const west = await Station.create(server, 'Westend');
  await west.write(numbered(5, 'db', { resource_type: 'resource_type.database.postgresql' }));
  return { server, east, west };
}

inBrowser('goes anywhere from the keyboard: stations, resources, types, settings', async () => {
  const { server } = await startWithStations();
  const { page, complaints } = await openTab(server, '/about');
  await page.getByRole('button', { name: /a station, resource/ }).waitFor();
  const ask = async (text: string) => {
    await page.keyboard.press('Control+k');
    const role = () => page.evaluate("document.activeElement.getAttribute('role')");
    await expect.poll(role, patiently).toBe('combobox');
    await page.keyboard.type(text);
  };
  await ask('ENd');
  await page.getByRole('option', { name: 'Westend' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await seeRow(page, 'db-00000');

  await ask('vm-00013');
  await page.getByRole('option', { name: 'vm-00013' }).click();
  await page.getByRole('complementary').getByRole('heading', { name: 'vm-00013' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(consolePath('east'));

  await ask('postgresql');
  await page.getByRole('option', { name: /resource_type.database.postgresql/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('5 resources').waitFor();
  await ask('dark');
  await page.getByRole('option', { name: 'Theme: Dark' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getAttribute('html', 'data-theme'), patiently).toBe('dark');
  await ask('no such thing anywhere');
  await page.getByText('Nothing found').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await ask('sources');
  await page.getByRole('option', { name: 'Sources', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sources', exact: true }).waitFor();

  let fail = () => {};
  const isOver = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await page.route('**/roster/v1/resources?**', async (route) => {
    await isOver;
    await route.fulfill({ status: 500, json: {} });
  });
  await ask('vm-00014');
  await page.getByText('Searching …').waitFor();
  expect(await page.getByText('Nothing found').count()).toBe(0);
  fail();
  await page.getByText('Resources could not be searched').waitFor();
  expect(complaints).toEqual([]);
});

inBrowser('saves a list as a view, opens it again and deletes it', async () => {
  const { server } = await startWithStations();
  const { page } = await openTab(server, `${consolePath('east')}?text=vm-0001&order_by=-name`);
  await page.getByText('10 resources').waitFor();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('No saved views yet.').waitFor();
  await page.getByLabel('Save this list as a view').fill('my teens');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved').waitFor();

  await page.goto(`${server.url}/resources`);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('link', { name: 'my teens' }).click();
  await page.getByText('10 resources').waitFor();
  expect(new URL(page.url()).search).toBe('?text=vm-0001&order_by=-name');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('button', { name: 'Delete the view “my teens”' }).click();
  await page.getByText('No saved views yet.').waitFor();
});

const recordNotifications = `
  window.shown = [];
  window.Notification = class {
    static permission = 'granted';
    static requestPermission = async () => 'granted';
    constructor(title, { body }) { window.shown.push(title + ' ' + body); }
  };
`;

inBrowser('notifies of what comes into a view, once it is asked to', async () => {
  const { server, east } = await startWithStations();
  await server.fetch('/roster/v1/views/firing', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ station: null, query: 'state=firing' }),
  });
  const { page } = await openTab(server, '/resources');
  await page.addInitScript(recordNotifications);
  await page.reload();
  await page.getByRole('button', { name: 'Views' }).click();
  const asked = page.waitForResponse((response) => response.url().includes('/views/firing/resources'));
  await page.getByRole('button', { name: 'Notify me of what comes into “firing”' }).click();
  await asked;
  await east.write([{ resource_id: 'vm-00003', state: 'ALERTSTATE_FIRING' }]);
  await expect.poll(() => page.evaluate('window.shown'), patiently).toEqual(['firing: 1 new vm-00003']);
});
