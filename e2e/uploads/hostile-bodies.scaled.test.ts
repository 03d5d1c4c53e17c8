import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import { startServer } from '../testing/start-server.ts';
import { type Format, mediaTypes, numbered, Station, writePath } from '../testing/station.ts';

/** What the server may compute between two answers to others. Unlike time, it does not depend on other processes. */
const maxBusyMs = 1_000;

/** How often each of them comes. */
const many = scale(10, 30);
const names = Array.from({ length: 6_000 }, (_, number) => number.toString(36));
const members = (separator: string) => names.map((name) => `"${name}":1`).join(separator);
const deep = '['.repeat(30_000) + ']'.repeat(30_000);
const aliases = '{a: &a [1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b], d: [*c,*c,*c,*c,*c]}';
const csvHeader = 'resource_id,name,resource_type\n';

/** Bodies that take long to refuse where each of their parts is looked at as closely as the only one. */
const hostile: readonly (readonly [what: string, format: Format, body: string])[] = [
  ['thousands of fields', 'ndjson', `{${members(',')}}\n`.repeat(many)],
  [
    'thousands of fields, each on its line',
    'json',
    `[${Array(many)
      .fill(`{${members(',\n')}}`)
      .join()}]`,
  ],
  ['thousands of fields', 'yaml', `- {${members(', ')}}\n`.repeat(many)],
  ['thousands of fields in a field', 'ndjson', `{"resource_type":{${members(',')}}}\n`.repeat(many)],
  ['deep nesting', 'ndjson', `{"resource_id":${deep}}\n`.repeat(10)],
  ['deep nesting', 'json', `[{"resource_id":${deep}}]`],
  ['deep nesting', 'yaml', `- {resource_id: ${deep}}\n`.repeat(10)],
  ['deep nesting in the page', 'json', `{"page":${deep},"resources":[]}`],
  ['aliases of aliases', 'yaml', `- ${aliases}\n`.repeat(100)],
  ['thousands of names in the header', 'csv', `${names.join()}\n`],
  ['nothing but commas in the header', 'csv', `${','.repeat(60_000)}\n`],
  ['rows of thousands of cells', 'csv', csvHeader + `${','.repeat(60_000)}x\n`.repeat(many)],
  ['quotes that are never closed', 'csv', csvHeader + `"${'a\n'.repeat(30_000)}`.repeat(10)],
  ['thousands of quotes', 'csv', csvHeader + `"${'""'.repeat(30_000)}",b,c\n`.repeat(many)],
  ['nothing but commas', 'json', `[${','.repeat(50_000)}]`],
  [
    'long names and times',
    'ndjson',
    `{"${'resource_typ'.repeat(4_000)}":1,"create_time":"${'0'.repeat(9_000)}"}\n`.repeat(many),
  ],
];

longOnly(it)('answers others while it reads bodies that are made to keep it busy', async () => {
  // Late for other processes, it would turn bodies away.
  const server = await startServer({ environment: { ROSTER_LIMITS_LAG_MS: '0' } });
  const station = await Station.create(server);
  await station.write(numbered(100));
  const before = await station.list();
  let isBusy = true;
  let busiestMs = 0;
  const asking = async () => {
    let before = server.process.busyMs();
    while (isBusy) {
      await station.total();
      const now = server.process.busyMs();
      busiestMs = Math.max(busiestMs, now - before);
      before = now;
      await delay(5);
    }
  };
  const others = asking();
  for (const [what, format, body] of hostile) {
    busiestMs = 0;
    const response = await station.post(body, format);
    expect([400, 422], await response.text()).toContain(response.status);
    expect(busiestMs, `${what} in ${format}`).toBeLessThan(maxBusyMs);
  }
  isBusy = false;
  await others;
  expect(await station.list()).toEqual(before);
  expect(server.process.stderr).toBe('');
});

const megabyte = 1024 * 1024;
const gzipped = { 'Content-Encoding': 'gzip' };

longOnly(it)(
  'stops reading YAML of millions of faulty records, and counts those of other formats to the end',
  async () => {
    const server = await startServer();
    const station = await Station.create(server);
    const refusalOf = async (format: 'yaml' | 'ndjson', line: string) => {
      const body = zlib.gzipSync(Buffer.alloc(2 * megabyte, line));
      const response = await station.post(body, format, { query: '?dry_run=true', headers: gzipped });
      const problem = expectProblem(await toAnswer(response), 422, 'invalid_records');
      expect(problem.faults).toHaveLength(100);
      return problem;
    };
    const stopped = await refusalOf('yaml', '- 1\n');
    expect(stopped).toMatchObject({ fault_count: 10_000, stopped_at_line: 10_000 });
    expect(stopped.detail).toContain('at least 10000 errors');
    const whole = await refusalOf('ndjson', '1\n');
    expect(whole).toMatchObject({ fault_count: megabyte });
    expect(whole).not.toHaveProperty('stopped_at_line');
  },
);

longOnly(it)('refuses bodies of which next to nothing was sent', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const body = zlib.gzipSync(Buffer.alloc(scale(32, 64) * megabyte, '\n'));
  for (const [format, reason] of [
    ['csv', 'at most 200 times as large as what was sent'],
    ['ndjson', 'at most 200 times as large as what was sent'],
    ['yaml', 'at most 4194304 bytes; YAML is read as a whole: send more than that as NDJSON'],
  ] as const) {
    const response = await station.post(body, format, { headers: gzipped });
    const problem = expectProblem(await toAnswer(response), 413, 'body_too_large');
    expect(problem.detail).toContain(reason);
  }
  // On a busy machine it warns of overload.
  expect(server.process.stderr).not.toMatch(/"level":[56]0/);
});

shortOnly(it)('stops reading when the client has gone, and keeps nothing', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const line = '- {resource_id: a, name: a, resource_type: resource_type.a.b}\n';
  const body = zlib.gzipSync(Buffer.alloc(4 * megabyte, line));
  const leaving = new AbortController();
  const asked = server.fetch(writePath(station.path), {
    method: 'POST',
    body,
    headers: { ...gzipped, 'Content-Type': mediaTypes.yaml },
    signal: leaving.signal,
  });
  const before = server.process.busyMs();
  await expect.poll(() => server.process.busyMs() - before, { timeout: 60_000 }).toBeGreaterThan(300);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  const busyMsWithin = async (ms: number) => {
    const start = server.process.busyMs();
    await delay(ms);
    return server.process.busyMs() - start;
  };
  // To read all of it would take far longer.
  await expect.poll(() => busyMsWithin(500), { timeout: 60_000 }).toBeLessThan(50);
  expect(await station.total()).toBe(0);
  expect(server.process.stderr).toBe('');
  expect(await server.process.stop()).toEqual({ code: 0, signal: null });
});

shortOnly(it)('answers with little whatever the names of unknown fields are', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const response = await station.post(`{"${'x'.repeat(65_000)}":1}\n`.repeat(100), 'ndjson');
  expect(response.status).toBe(422);
  expect((await response.text()).length).toBeLessThan(50_000);
});
