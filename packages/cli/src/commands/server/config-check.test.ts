import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { printed, runRoster, temporaryDirectory } from '../../testing/run-roster.ts';

function directoryWith(text: string): string {
  const directory = temporaryDirectory();
  writeFileSync(path.join(directory, 'roster.yaml'), text);
  return directory;
}

it('shows every setting with its origin, and no secrets', async () => {
  const cwd = directoryWith('port: 9001\nlogLevel: warn\ndatabase:\n  url: postgres://u:secret@host/db\n');
  const environment = { ROSTER_LOG_LEVEL: 'debug', ROSTER_TOKEN: 'mine' };
  const table = await printed(['config', 'check'], { cwd, environment });
  expect(table).toMatch(/^port +9001 +roster\.yaml:1:7$/m);
  expect(table).toMatch(/^logLevel +debug +ROSTER_LOG_LEVEL$/m);
  expect(table).toMatch(/^database\.url +\(hidden\) +roster\.yaml:4:8$/m);
  expect(table).toMatch(/^historyHours +24 +default$/m);
  expect(table).not.toContain('secret');
  const words = ['config', 'check', '--config', 'roster.yaml', '-o', 'json'];
  const rows = JSON.parse(await printed(words, { cwd }));
  expect(rows).toContainEqual({ key: 'port', value: '9001', from: 'roster.yaml:1:7' });
});

it('reports every error, and exits with 1', async () => {
  const cwd = directoryWith('prot: 9001\nport: many\n');
  const { code, stdout, stderr } = await runRoster(['config', 'check', 'roster.yaml'], {
    cwd,
    environment: { ROSTER_SAMPLE: 'maybe' },
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.split('\n')).toEqual([
    'ROSTER_SAMPLE must be true or false, got "maybe"',
    'roster.yaml:1:1: "prot" is not a setting; did you mean port?',
    'roster.yaml:2:7: port must be a port from 0 to 65535 (0 picks a free one), got "many"',
    'roster: 3 errors in the settings',
    '',
  ]);
});

it('reports a missing file', async () => {
  const { code, stderr } = await runRoster(['config', 'check', 'none.yaml']);
  expect([code, stderr]).toEqual([
    1,
    'there is no configuration file "none.yaml"\nroster: 1 error in the settings\n',
  ]);
});

it('shows what roster serve uses', async () => {
  const cwd = directoryWith('port: many\n');
  const { code, stderr } = await runRoster(['serve', '--host', 'http://x'], { cwd });
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'roster: --host must be a host name or IP address without scheme and port, got "http://x"',
    'roster: roster.yaml:1:7: port must be a port from 0 to 65535 (0 picks a free one), got "many"',
  ]);
});
