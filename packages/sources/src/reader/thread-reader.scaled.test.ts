import { afterEach, expect, it, onTestFinished } from 'vitest';
import { longOnly } from '../../../../testing/scale.ts';
import { SourceFailure } from '../http/source-failure.ts';
import { fakeServer, sendJson } from '../testing/fake-server.ts';
import { directReader } from './source-reader.ts';
import { ThreadReader } from './thread-reader.ts';

const reader = new ThreadReader();
afterEach(() => reader.close());

const success = (data: unknown) => ({ status: 'success', data });
const alert = (at: number) => ({
  labels: { alertname: 'Down', instance: `"vm"\n${at} ü` },
  annotations: { summary: 'down' },
  state: at % 2 === 0 ? 'firing' : 'pending',
  activeAt: '2026-01-31T08:00:00Z',
});
const rule = (name: string, alerts: number, health = 'ok') => ({
  type: 'alerting',
  name,
  query: 'up == 0',
  labels: {},
  health,
  alerts: Array.from({ length: alerts }, (_, at) => alert(at)),
});

/** Answers everything that is asked of a server. */
const answering = () =>
  fakeServer((request, response) => {
    const answers: Record<string, unknown> = {
      '/api/v1/rules': success({
        groups: [
          {
            name: 'g',
            file: 'f',
            rules: [
              rule('A', 350),
              rule('B', 0),
              rule('C', 0, 'unknown'),
              rule('D', 2),
              { type: 'recording', name: 'r', query: 'up', labels: {} },
            ],
          },
        ],
      }),
      '/api/v1/targets?state=active': success({
        activeTargets: [{ labels: { job: 'a' } }, { labels: { job: 'b' } }],
      }),
      '/api/v1/series': success([
        { __name__: 'up', host: 'a' },
        { __name__: 'up', host: 'b' },
        { __name__: 'down', host: 'a' },
      ]),
      '/api/v2/status': { uptime: '2026-01-31T08:00:00Z' },
      '/api/v2/alerts': [
        {
          ...alert(1),
          startsAt: '2026-01-31T08:00:00Z',
          fingerprint: 'f',
          status: { state: 'suppressed', silencedBy: ['s'], inhibitedBy: [] },
        },
      ],
      '/api/v2/silences': [],
    };
    sendJson(response, answers[request.url!]);
  });

it('answers as it would on the main thread', async () => {
  const endpoint = await answering();
  const selectors = ['up', 'down', 'other'].map((metric) => ({
    text: metric,
    metric,
  }));
  const question = { selectors, labels: ['host'] };
  expect(await reader.rules(endpoint)).toEqual(await directReader.rules(endpoint));
  expect(await reader.targets(endpoint)).toEqual(await directReader.targets(endpoint));
  expect(await reader.alertmanager(endpoint)).toEqual(await directReader.alertmanager(endpoint));
  expect(await reader.series(endpoint, question)).toEqual(await directReader.series(endpoint, question));
});

it('fails as it would on the main thread', async () => {
  const endpoint = await fakeServer((_, response) => response.writeHead(500).end());
  await expect(reader.rules(endpoint)).rejects.toThrow(new SourceFailure('answered 500'));
  await expect(reader.targets(endpoint)).rejects.toBeInstanceOf(SourceFailure);
});

it('stops asking when it is told to, and starts again after it was closed', async () => {
  let isGone = false;
  let onRequest = () => {};
  const silent = await fakeServer((request) => {
    request.once('close', () => (isGone = true));
    onRequest();
  });
  const stopping = new AbortController();
  onRequest = () => stopping.abort();
  const asked = reader.rules({ ...silent, timeoutMs: 60_000 }, stopping.signal);
  await expect(asked).rejects.toThrow('was interrupted');
  await expect.poll(() => isGone).toBe(true);
  await expect(reader.rules(silent, stopping.signal)).rejects.toThrow('was interrupted');

  const received = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const unanswered = expect(reader.rules({ ...silent, timeoutMs: 60_000 })).rejects.toThrow(
    'could not be read',
  );
  await received;
  await reader.close();
  await unanswered;
  expect((await reader.rules(await answering())).alerting).toHaveLength(4);
});

it('takes over only what has changed since the last answer', async () => {
  let alerts = 350;
  const endpoint = await fakeServer((_, response) =>
    sendJson(response, success({ groups: [{ name: 'g', file: 'f', rules: [rule('A', alerts)] }] })),
  );
  const alertsOf = async () => (await reader.rules(endpoint)).alerting[0]!.alerts!;
  const first = await alertsOf();
  alerts = 351;
  const second = await alertsOf();
  expect(second).toEqual((await directReader.rules(endpoint)).alerting[0]!.alerts);
  expect(second.map((each, at) => each === first[at]).indexOf(false)).toBe(300);
  // Two that cross, and one after the thread ended.
  expect(await Promise.all([alertsOf(), alertsOf()])).toEqual([second, second]);
  await reader.close();
  expect(await alertsOf()).toEqual(second);
});

/** Many alerts that take no space in an answer, but time and memory when it is read. */
const hostile = (alerts: number) => {
  const each = '{"state":"firing","activeAt":"2026-01-31"}';
  const text = `{"status":"success","data":{"groups":[{"rules":[{"type":"alerting","name":"A","query":"q","alerts":[${`${each},`.repeat(alerts - 1)}${each}]}]}]}}`;
  return fakeServer((_, response) => response.setHeader('Content-Type', 'application/json').end(text));
};

it('ends an answer that takes too long to read, and asks the others again', async () => {
  const endpoint = await hostile(1_500_000);
  let questions = 0;
  // The first question is never answered.
  const waiting = await fakeServer((_, response) => {
    if (++questions > 1) sendJson(response, success({ groups: [] }));
  });
  const other = reader.rules({ ...waiting, timeoutMs: 60_000 });
  await expect.poll(() => questions).toBe(1);
  const failureWithin = (timeoutMs: number) =>
    reader.rules({ ...endpoint, timeoutMs }).then(
      () => 'none',
      (failure: SourceFailure) => failure.message,
    );
  // Enough to fetch it on this machine, but not to read it.
  let timeoutMs = 1_000;
  let failure = await failureWithin(timeoutMs);
  while (failure.startsWith('did not answer')) {
    timeoutMs += 1_000;
    failure = await failureWithin(timeoutMs);
  }
  expect(failure).toBe(`answered, but its answer could not be read within ${timeoutMs / 1000} s`);
  expect(await other).toMatchObject({ alerting: [] });
  expect(questions).toBe(2);
});

longOnly(it)('fails the answer that takes too much memory, and asks the others again', async () => {
  const small = new ThreadReader(32);
  onTestFinished(() => small.close());
  const endpoint = { ...(await hostile(500_000)), timeoutMs: 60_000 };
  const slow = await fakeServer((_, response) =>
    setTimeout(() => sendJson(response, success({ groups: [] })), 900),
  );
  const [one, other] = await Promise.allSettled([
    small.rules(endpoint),
    small.rules({ ...slow, timeoutMs: 60_000 }),
  ]);
  expect(one).toMatchObject({
    reason: new SourceFailure('could not be read: its answer took too much memory'),
  });
  expect(other).toMatchObject({ value: { alerting: [] } });
});

it.each([
  ['many', 'answered with more than 500000 items', Array(500_001).fill({})],
  ['long', 'answered with an item of more than 1048576 characters', [{ a: 'x'.repeat(1024 * 1024) }]],
])('refuses %s targets', async (_, message, targets) => {
  const endpoint = { ...(await targetsWith(targets)), timeoutMs: 20_000 };
  await expect(reader.targets(endpoint)).rejects.toThrow(message);
});

const targetsWith = (targets: readonly object[]) =>
  fakeServer((_, response) =>
    sendJson(response, success({ activeTargets: targets.map((labels) => ({ labels })) })),
  );

it('refuses alerts that are too long together, because each repeats the same silence', async () => {
  const alerts = Array(200).fill({
    labels: {},
    startsAt: '2026-01-31T08:00:00Z',
    fingerprint: 'f',
    status: { state: 'suppressed', silencedBy: ['s'] },
  });
  const comment = 'x'.repeat(1024 * 1000);
  const silence = { id: 's', createdBy: 'a', comment, endsAt: '2026-01-31T08:00:00Z' };
  const endpoint = await fakeServer(({ url }, response) => {
    if (url === '/api/v2/status') sendJson(response, { uptime: '2026-01-31T08:00:00Z' });
    else sendJson(response, url === '/api/v2/alerts' ? alerts : [silence]);
  });
  await expect(reader.alertmanager({ ...endpoint, timeoutMs: 20_000 })).rejects.toThrow('characters to keep');
});
