import { expect } from 'vitest';
import { startServer } from '../testing/start-server.ts';
import { numbered, Station } from '../testing/station.ts';
import { violations } from './testing/axe.ts';
import {
  consolePath,
  expectNoSidewaysScroll,
  inBrowser,
  openTab,
  rowNames,
  seeRow,
} from './testing/console.ts';

inBrowser(
  'counts what is suppressed, and states that nobody knows, wherever states are counted',
  async () => {
    const server = await startServer();
    const station = await Station.create(server);
    const watched = { alertable: true, alert_rules_count: 2 };
    await station.write([
      ...numbered(4, 'vm', { ...watched, labels: { rack: 'r1' } }),
      ...numbered(4, 'db', { ...watched, labels: { rack: 'r2' } }),
    ]);
    await station.write(numbered(3, 'vm', { state: 'ALERTSTATE_SUPPRESSED' }));

    const { page, complaints } = await openTab(server, '/');
    const tile = page.getByRole('link', { name: 'Suppressed 3' });
    await tile.waitFor();
    expect(await page.locator('.all-quiet .tone-inactive').count()).toBe(0);

    await page.goto(`${server.url}/stations`);
    await page.getByRole('link', { name: 'Suppressed: 3' }).click();
    await page.getByText('3 resources', { exact: true }).waitFor();
    await seeRow(page, 'vm-00000');
    expect(await page.locator('.table-row .tone-suppressed').count()).toBe(3);

    await page.goto(`${server.url}${consolePath()}?group_by=label.rack`);
    const rack = page.getByRole('figure').getByRole('link', { name: 'r1' });
    expect(await rack.textContent()).toContain('3 suppressed');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('row', { name: 'r1' }).getByRole('link', { name: '3', exact: true }).click();
    await seeRow(page, 'vm-00002');
    expect(await rowNames(page)).toEqual(['vm-00000', 'vm-00001', 'vm-00002']);

    await page.goto(`${server.url}/stations`);
    await page.getByRole('link', { name: 'Suppressed: 3' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Other' }).count()).toBe(0);
    await station.write([
      { resource_id: 'db-00000', state: 'ALERTSTATE_UNKNOWN' },
      { resource_id: 'db-00001', state: 'ALERTSTATE_NO_DATA' },
    ]);
    await page.getByRole('link', { name: 'Other: 2' }).click();
    await seeRow(page, 'db-00001');
    expect(await rowNames(page)).toEqual(['db-00000', 'db-00001']);
    await page.goto(`${server.url}${consolePath()}?group_by=label.rack`);
    expect(await page.getByRole('figure').getByRole('link', { name: 'r2' }).textContent()).toContain(
      '2 other',
    );
    await page.getByRole('row', { name: 'r2' }).getByRole('link', { name: '2', exact: true }).click();
    await seeRow(page, 'db-00001');

    await page.setViewportSize({ width: 375, height: 740 });
    await page.goto(`${server.url}/stations`);
    await page.getByRole('link', { name: 'Suppressed: 3' }).waitFor();
    await expectNoSidewaysScroll(page);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
);
