import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { expectProblem, type ProblemBody, toAnswer } from '../testing/check-answer.ts';
import { shareServer } from '../testing/start-server.ts';
import { type Body, type Format, numbered, Station, stationPath, toNdjson } from '../testing/station.ts';

const type = 'resource_type.compute.vm';
const good = `{"resource_id":"good","name":"good","resource_type":"${type}"}\n`;
const notUtf8 = ['\xff', '\xc3(', '\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe4\xb8'];

/** A record with one more field, in its second line. */
function withField(field: string, value: string): Record<Format, string> {
  const members = `"resource_id":"a","name":"a","resource_type":"${type}",\n"${field}":${value}`;
  const plain = value.replace(/^"(.*)"$/, '$1');
  return {
    ndjson: `${good}{${members.replace('\n', '')}}\n`,
    json: `[{${members}}]`,
    csv: `resource_id,name,resource_type,${field}\na,a,${type},${plain}\n`,
    yaml: `- {resource_id: a, name: a, resource_type: ${type},\n   ${field}: ${value}}\n`,
  };
}

const server = shareServer();
let stations = 0;

/** A station with something in it, which must be the same after whatever is refused. */
class Target {
  readonly station: Station;
  readonly #before: unknown;

  static async create(): Promise<Target> {
    const station = await Station.create(server(), `station-${++stations}`);
    await station.write(numbered(50));
    return new Target(station, await station.list());
  }

  private constructor(station: Station, before: unknown) {
    this.station = station;
    this.#before = before;
  }

  async refuses(body: Body, format: Format, headers: Record<string, string> = {}): Promise<ProblemBody> {
    let problem: ProblemBody | undefined;
    for (const query of ['', '?dry_run=true', '?mode=replace&allow_removal=all']) {
      const answer = await toAnswer(await this.station.post(body, format, { query, headers }));
      expect(answer.status, `${format} ${JSON.stringify(body).slice(0, 300)}`).toBeGreaterThanOrEqual(400);
      problem = expectProblem(answer, answer.status, JSON.parse(answer.body.toString()).code);
    }
    expect(await this.station.list()).toEqual(this.#before);
    return problem!;
  }
}

it('refuses bytes that are not UTF-8, and says where they are', async () => {
  const target = await Target.create();
  for (const bytes of notUtf8) {
    for (const [format, body] of Object.entries(withField('sku', `"a${bytes}b"`))) {
      const { faults, fault_count: count } = await target.refuses(
        Buffer.from(body, 'latin1'),
        format as Format,
      );
      expect(count, format).toBe(1);
      const text = body.split('\n')[1]!;
      const column = text.indexOf(bytes) + 1;
      expect(faults, format).toEqual([
        { line: 2, column, reason: 'is not valid UTF-8; save the file as UTF-8' },
      ]);
    }
  }
  const problem = await target.refuses(Buffer.from(good, 'utf16le'), 'ndjson');
  expect(problem).toMatchObject({ status: 422 });
  const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(good, 'utf16le')]);
  expect((await target.refuses(marked, 'csv')).detail).toContain('UTF-16');
});

it('refuses control characters, NUL above all, however they are written', async () => {
  const target = await Target.create();
  for (const value of ['"a\0b"', '"\0"', '"a\x1fb"', '"a\x85b"', '"a\x7fb"']) {
    for (const [format, body] of Object.entries(withField('sku', value))) {
      const { faults } = await target.refuses(body, format as Format);
      expect(faults, `${format} ${JSON.stringify(value)}`).toMatchObject([{ line: 2 }]);
    }
  }
  for (const value of ['"a\\u0000b"', '"\\ud800"', '"a\\nb"', '"\\u009f"']) {
    const { ndjson, json, yaml } = withField('sku', value);
    for (const [format, body] of Object.entries({ ndjson, json, yaml })) {
      const { faults } = await target.refuses(body, format as Format);
      expect(faults, `${format} ${value}`).toMatchObject([{ line: 2, field: 'sku' }]);
    }
  }
});

it('refuses values that are none: dates that do not exist, times without zone, numbers beyond range', async () => {
  const target = await Target.create();
  for (const [field, value, reason] of [
    ['create_time', '"2026-02-30T00:00:00Z"', 'does not exist'],
    ['create_time', '"2025-02-29T00:00:00Z"', 'does not exist'],
    ['create_time', '"2026-13-01T00:00:00Z"', 'does not exist'],
    ['create_time', '"2026-01-31T08:00:00"', 'time zone'],
    ['create_time', '"2026-01-31T24:00:00Z"', 'time of day'],
    ['create_time', '"2026-01-31"', 'RFC 3339'],
    ['create_time', '"0000-01-01T00:00:00+01:00"', 'years'],
    ['alert_rules_count', '9007199254740992', 'between 0 and 9007199254740991'],
    ['alert_rules_count', '1e400', 'between 0 and 9007199254740991'],
    ['alert_rules_count', '-1', 'between 0 and 9007199254740991'],
    ['alert_rules_count', '1.5', 'between 0 and 9007199254740991'],
    ['alertable', '"perhaps"', 'true or false'],
    ['state', '"firing"', 'ALERTSTATE_<NAME>'],
    ['product', '"compute"', 'product.<name>'],
    ['station', '"another"', 'must have the form'],
    ['station', `"${stationPath('another')}"`, 'belongs to station'],
  ] as const) {
    for (const [format, body] of Object.entries(withField(field, value))) {
      const { faults } = await target.refuses(body, format as Format);
      expect(faults, `${format} ${value}`).toMatchObject([{ line: 2, field }]);
      expect(faults![0]!.reason, `${format} ${value}`).toContain(reason);
    }
  }
  const own = withField('station', `"${target.station.path}"`);
  for (const [format, body] of Object.entries(own)) {
    const sent = await target.station.post(body, format as Format, { query: '?dry_run=true' });
    expect(sent.status, format).toBe(200);
  }
});

it('refuses ids and names that come twice, in one file or in the station', async () => {
  const target = await Target.create();
  const line = (id: string, name: string) =>
    `${JSON.stringify({ resource_id: id, name, resource_type: type })}\n`;
  const repeated = await target.refuses(
    line('a', 'one') + line('b', 'one') + line('a', 'two') + line('c', 'vm-00007'),
    'ndjson',
  );
  expect(repeated.faults).toMatchObject([
    { line: 2, field: 'name', reason: '"one" is already the name on line 1' },
    { line: 3, field: 'resource_id', reason: '"a" is already on line 1' },
  ]);
  const taken = await target.station.post(line('c', 'vm-00007'), 'ndjson');
  expect(expectProblem(await toAnswer(taken), 422, 'invalid_records').faults).toMatchObject([
    { line: 1, field: 'name', reason: '"vm-00007" belongs to the resource "vm-00007"' },
  ]);
});

it('refuses what is not compressed as it says', async () => {
  const target = await Target.create();
  const plain = Buffer.from(toNdjson(numbered(3_000, 'new')));
  const compressed = {
    gzip: zlib.gzipSync(plain),
    zstd: zlib.zstdCompressSync(plain),
    br: zlib.brotliCompressSync(plain),
    deflate: zlib.deflateSync(plain),
  };
  for (const [encoding, bytes] of Object.entries(compressed)) {
    const headers = { 'Content-Encoding': encoding };
    const damaged = Buffer.from(bytes);
    damaged.fill(0x55, damaged.length >> 1, (damaged.length >> 1) + 20);
    for (const body of [bytes.subarray(0, -1), bytes.subarray(0, bytes.length >> 1), damaged, plain]) {
      const problem = await target.refuses(body, 'ndjson', headers);
      expect(problem).toMatchObject({ status: 400, code: 'invalid_body' });
      expect(problem.detail).toContain(encoding);
    }
    const isKnown = encoding === 'gzip' || encoding === 'zstd';
    expect((await target.refuses(bytes, 'ndjson')).status).toBe(isKnown ? 400 : 422);
  }
  for (const encoding of ['compress', 'gzip, gzip', 'utf-8', 'gzip;q=1']) {
    const problem = await target.refuses(compressed.gzip, 'ndjson', { 'Content-Encoding': encoding });
    expect(problem).toMatchObject({ status: 415, parameter: 'Content-Encoding' });
  }
});
