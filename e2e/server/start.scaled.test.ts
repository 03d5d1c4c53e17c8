import { spawn, spawnSync } from 'node:child_process';
import net from 'node:net';
import { expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { spawnServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, samplePath } from '../testing/station.ts';
import type { List } from '../testing/station-answers.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

async function refusal(environment: Record<string, string>, data?: string): Promise<string> {
  const { process } = spawnServer({ environment, ...(data === undefined ? {} : { data }) });
  expect(await process.exited).toEqual({ code: 1, signal: null });
  expect(process.stdout).toBe('');
  return process.stderr;
}

function runThroughShell(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(output));
  });
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;

shortOnly(it.skipIf(!hasCurl && !process.env.CI))(
  'greets with a line that works in a shell (needs curl)',
  async () => {
    for (const sample of ['true', 'false']) {
      const server = await startServer({ environment: { ROSTER_SAMPLE: sample } });
      const line = /^ {2}Try it +(curl .+)$/m.exec(server.process.stdout)?.[1];
      const answer = JSON.parse(await runThroughShell(line!)) as List & { status?: string };
      if (sample === 'true') {
        expect(answer.resources).toHaveLength(3);
        expect(answer.page?.total).toBeGreaterThan(1_000);
      } else expect(answer.status).toBe('ready');
    }
  },
);

shortOnly(it)(
  'greets with what it is, where it is and where the data are, and nothing else on any output',
  async () => {
    const server = await startServer();
    expect(server.process.stdout.split('\n')).toEqual([
      expect.stringMatching(/^Roster \d+\.\d+\.\d+ is listening on http:\/\/127\.0\.0\.1:\d+$/),
      '',
      expect.stringContaining('Try it'),
      `  Console  ${server.url}/`,
      `  Docs     ${server.url}/docs`,
      `  Data     ${server.data}`,
      '',
      '',
    ]);
    expect(server.process.stderr).toBe('');
    expect((await server.fetch('/docs')).status).toBe(200);
  },
);

longOnly(it)('warns where tokens would be sent unencrypted, unless a proxy is named', async () => {
  // Another way to write 127.0.0.1, which counts as a name that others may reach.
  const environment = { ROSTER_HOST: '127.1', ROSTER_AUTH: 'on' };
  const open = await startServer({ environment });
  await expect.poll(() => open.process.stderr).toContain('tokens are sent unencrypted');
  const behind = await startServer({ environment: { ...environment, ROSTER_TRUST_PROXY: '127.0.0.1' } });
  expect(behind.process.stderr).toBe('');
});

shortOnly(it)('loads the sample only when asked to', async () => {
  const server = await startServer();
  expect((await new Station(server, samplePath).get()).status).toBe(404);
});

longOnly(it)('loads the sample only into a data directory without stations, and only once', async () => {
  const data = temporaryDirectory();
  const environment = { ROSTER_SAMPLE: 'true' };
  const first = await startServer({ data, environment });
  const sample = new Station(first, samplePath);
  const { resources } = await sample.list();
  await sample.remove(resources[0]!.resource_id);
  await first.process.stop();
  const again = new Station(await startServer({ data, environment }), samplePath);
  expect(await again.total()).toBe(resources.length - 1);

  const own = await startServer();
  await Station.create(own);
  await own.process.stop();
  const withOwn = await startServer({ data: own.data, environment });
  expect((await new Station(withOwn, samplePath).get()).status).toBe(404);
  expect(withOwn.process.stdout).toMatch(/Try it +curl .+\/readyz$/m);
});

shortOnly(it)('says in one line that its port is in use', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as net.AddressInfo;
  try {
    const message = await refusal({ ROSTER_PORT: String(port) });
    expect(message).toMatch(
      new RegExp(`^roster: 127\\.0\\.0\\.1:${port} is in use[^\\n]*ROSTER_PORT[^\\n]*\\n$`),
    );
  } finally {
    other.close();
  }
});

const wrongSettings = [
  ['ROSTER_HOST', 'http://localhost', 'host name'],
  ['ROSTER_PORT', '80a', '0 to 65535'],
  ['ROSTER_PORT', '65536', '0 to 65535'],
  ['ROSTER_DATA', '  ', 'directory'],
  ['ROSTER_SAMPLE', 'maybe', 'true or false'],
  ['ROSTER_LOG_LEVEL', 'loud', 'warn'],
  ['ROSTER_STRICT_QUERY', '2', 'true or false'],
  ['ROSTER_MAX_UNPAGED', '-1', '0 to 1000000000'],
  ['ROSTER_MAX_BODY_MB', '0', '1 to 1000000'],
  ['ROSTER_INDEX_MEMORY_MB', 'lots', '1 to 10000000'],
] as const;

for (const [name, value, allowed] of scale(wrongSettings.slice(-3), wrongSettings.slice(0, -3))) {
  it(`refuses ${name}=${value} by name and value, and says what is allowed`, async () => {
    const message = await refusal({ [name]: value });
    expect(message).toMatch(/^roster: [^\n]+\n$/);
    for (const part of [name, JSON.stringify(value), allowed]) expect(message).toContain(part);
  });
}

shortOnly(it)('names every wrong setting at once, a misspelt one too', async () => {
  const message = await refusal({ ROSTER_PORT: 'x', ROSTER_SAMPLE: 'y', ROSTER_LOGLEVEL: 'info' });
  expect(message.trim().split('\n')).toHaveLength(3);
  expect(message).toContain('did you mean ROSTER_LOG_LEVEL?');
});

longOnly(it)('keeps a second server out of a data directory in use, and the first one goes on', async () => {
  const first = await startServer();
  const station = await Station.create(first);
  const message = await refusal({}, first.data);
  expect(message).toMatch(
    new RegExp(`^roster: [^\\n]*${first.data}[^\\n]*in use by process ${first.process.pid}[^\\n]*\\n$`),
  );
  expect((await station.write(numbered(3))).status).toBe(200);
  await first.process.kill();
  const next = new Station(await startServer({ data: first.data }), station.path);
  expect(await next.total()).toBe(3);
});

longOnly(it)('says in one line what is wrong with its data directory', async () => {
  expect(await refusal({}, '/dev/null')).toMatch(/^roster: [^\n]*\/dev\/null[^\n]*not a directory[^\n]*\n$/);
  if (process.platform === 'linux') {
    expect(await refusal({}, '/proc/roster')).toBe(
      'roster: the data directory /proc/roster cannot be created there\n',
    );
  }
  expect(await refusal({}, '/dev/null/data')).toMatch(/^roster: [^\n]*\/dev\/null\/data[^\n]*\n$/);
});
