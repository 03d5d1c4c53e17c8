import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { inBrowser, openTab } from './testing/console.ts';

inBrowser('shows the reference from this server alone, and tries the list out from there', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(3));
  const { page } = await openTab(server, '/about');
  const asked = new Set<string>();
  page.on('request', (request) => void asked.add(new URL(request.url()).origin));
  await page.goto(`${server.url}/docs`);

  const operation = page.locator('.opblock', { hasText: 'List the resources of a station' });
  await operation.locator('.opblock-summary-control').click();
  const parameters = {
    subscription_name: 'e2e',
    resource_group_name: 'tests',
    zone: 'zone-1',
    telemetry_station_name: 'station',
  };
  for (const [name, value] of Object.entries(parameters)) {
    await operation.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.getByText('vm-00002').first().waitFor();

  expect(await page.locator('.servers').isVisible()).toBe(false);
  expect([...asked]).toEqual([server.url]);

  await page.setViewportSize({ width: 375, height: 740 });
  const widths = await page
    .locator('.opblock-tag small')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
  expect(Math.min(...widths)).toBeGreaterThan(200);
});
