import type { Alert } from '@roster/client';
import { expect, it } from 'vitest';
import { sendJson, startLocalServer } from '../../testing/local-server.ts';
import { runOnTerminal } from '../../testing/run-on-terminal.ts';
import { runRoster } from '../../testing/run-roster.ts';

const alert: Alert = {
  fingerprint: '4947df99b54b265e',
  state: 'suppressed',
  since: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  labels: { alertname: 'HostDown', severity: 'page', host: 'web-1' },
  annotations: { summary: 'the host is down' },
  silences: [{ id: 's1', created_by: 'ann', comment: 'new disk', until: '2026-11-18T09:30:00.000Z' }],
  inhibited_by: [],
  sources: ['prom', 'am'],
};

it('shows the alerts of a resource, and who silenced them', async () => {
  const stations = ['subscriptions/acme/resourceGroups/web/zones/zone-1/telemetryStations/shop'];
  let health = 'up';
  const { url, requests } = await startLocalServer(({ pathname }, response) =>
    sendJson(response, {
      ...(pathname.endsWith('/sources')
        ? { sources: [{ name: 'prom', stations, health, last_read: null }] }
        : {}),
      ...(pathname.endsWith('/alerts') ? { alerts: pathname.includes('/h1/') ? [alert] : [] } : {}),
    }),
  );
  const alerts = (...words: string[]) =>
    runRoster(['alerts', 'acme/web/zone-1/shop', ...words, '--server', url]);
  expect((await alerts('h1')).stdout.split('\n')).toEqual([
    'ALERT     STATE       SINCE  SEVERITY  SUMMARY           SILENCED',
    'HostDown  SUPPRESSED  3h     page      the host is down  by ann until 2026-11-18 09:30 UTC: new disk',
    '',
  ]);
  expect((await alerts('h1', '-o', 'wide')).stdout).toContain(
    'alertname="HostDown", severity="page", host="web-1"',
  );
  expect(JSON.parse((await alerts('h1', '-o', 'json')).stdout)).toEqual([alert]);
  expect(await alerts('h2')).toMatchObject({ code: 0, stdout: '', stderr: 'no alerts\n' });
  health = 'down';
  expect((await alerts('h2')).stderr).toBe(
    'no alerts are known: no answer from prom\nroster: states may be wrong: prom has never answered\n',
  );
  const unwatched = await runRoster(['alerts', 'acme/web/zone-1/lab', 'h3', '--server', url]);
  expect(unwatched.stderr).toBe('no alerts are known: no source reports any for this station\n');
  expect(requests).toContainEqual(
    expect.stringMatching(/^GET \/roster\/v1\/subscriptions\/acme\/.*\/shop\/resources\/h1\/alerts$/),
  );
});

it('shows who silenced an alert and until when on any terminal, and no column where nobody did', async () => {
  const summary = 'the host has not answered for more than five minutes, and nothing else is known about it';
  const silenced = { ...alert, annotations: { summary } };
  const firing: Alert = { ...silenced, state: 'firing', silences: [] };
  let alerts = [firing, silenced];
  const { url } = await startLocalServer(({ pathname }, response) =>
    sendJson(response, pathname.endsWith('/sources') ? { sources: [] } : { alerts }),
  );
  const words = ['alerts', 'acme/web/zone-1/shop', 'h1', '--server', url];
  for (const columns of [40, 80, 120]) {
    const { stdout } = await runOnTerminal(words, { columns });
    const [header, first, second, note, end] = stdout.split('\n');
    expect(header).not.toContain('SILENCED');
    expect([first, second, end]).toEqual([
      expect.stringContaining('FIRING'),
      expect.stringContaining('SUPPR'),
      '',
    ]);
    expect(note).toBe('  silenced by ann until 2026-11-18 09:30 UTC: new disk');
  }
  const { stdout } = await runOnTerminal([...words, '--columns', 'alertname,silenced'], { columns: 80 });
  expect(stdout).toMatch(/^ALERT +SILENCED\nHostDown\nHostDown +by ann until .*: new disk\n$/);
  alerts = [firing];
  expect((await runOnTerminal(words, { columns: 200 })).stdout).not.toMatch(/silenced/i);
  expect((await runRoster(words)).stdout).not.toMatch(/silenced/i);
  expect((await runRoster([...words, '-o', 'csv'])).stdout).toMatch(/,silenced,/);
});
