import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { expectProblem, type ProblemBody, toAnswer } from '../testing/check-answer.ts';
import { shareServer } from '../testing/start-server.ts';
import { type Body, type Format, numbered, Station } from '../testing/station.ts';
import type { RecordView, WriteResult } from '../testing/station-answers.ts';

const server = shareServer();
let stations = 0;
const newStation = () => Station.create(server(), `station-${++stations}`);

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const formats = ['ndjson', 'json', 'csv', 'yaml'] as const;
const expected = fixture('resources.ndjson')
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordView);

const encodings = {
  identity: (body: Buffer<ArrayBuffer>) => body,
  gzip: zlib.gzipSync,
  zstd: zlib.zstdCompressSync,
} as const;

function byId<T extends { resource_id: string }>(records: readonly T[]): T[] {
  return records.toSorted((a, b) => (a.resource_id < b.resource_id ? -1 : 1));
}

/** What a body is refused with, written for real and as a dry run alike; nothing is written either way. */
async function refusal(station: Station, body: Body, format: Format): Promise<ProblemBody> {
  const before = await station.list();
  const problems: ProblemBody[] = [];
  for (const query of ['', '?dry_run=true', '?mode=replace&allow_removal=all']) {
    const answer = await toAnswer(await station.post(body, format, { query }));
    const { request_id: _, ...problem } = expectProblem(answer, 422, 'invalid_records') as ProblemBody & {
      request_id: string;
    };
    problems.push(problem);
    expect(await station.list()).toEqual(before);
  }
  expect(problems[1]).toEqual(problems[0]);
  expect(problems[2]).toEqual(problems[0]);
  return problems[0]!;
}

for (const format of formats) {
  it(`takes ${format}, compressed or not, and gives out the same resources`, async () => {
    for (const [encoding, encode] of Object.entries(encodings)) {
      const station = await newStation();
      const body = encode(fixture(`resources.${format}`));
      const headers = { 'Content-Encoding': encoding };
      const planned = await station.post(body, format, { query: '?dry_run=true', headers });
      expect(await planned.json()).toMatchObject({ created: 12, total_changes: 12, refusal: null });
      expect(await station.total()).toBe(0);
      const written = await station.post(body, format, { headers });
      expect(await written.json()).toMatchObject({ created: 12, updated: 0, unchanged: 0, removed: 0 });
      expect(byId(await station.records())).toEqual(byId(expected));
      const again = await station.post(body, format, { headers, query: '?mode=replace' });
      expect(await again.json()).toMatchObject({ created: 0, updated: 0, unchanged: 12, removed: 0 });
    }
  });
}

it('takes a listing as a list operation answers it', async () => {
  const station = await newStation();
  const listing = fixture('listing.json');
  const written = await station.post(listing, 'json', { query: '?mode=replace' });
  expect((await written.json()) as WriteResult).toMatchObject({ created: 12 });
  const listed = JSON.parse(listing.toString()) as { resources: object[] };
  expect((await station.list()).resources).toEqual(listed.resources);
  const complete = await station.post(fixture('resources.yaml'), 'yaml');
  expect(await complete.json()).toMatchObject({ created: 0, new_types: [] });
  expect(byId(await station.records())).toEqual(byId(expected));
});

it('finds every fault of a file of 3 000 rows, and writes none of them', async () => {
  const station = await newStation();
  await station.write(numbered(30));
  const known = JSON.parse(fixture('faulty.faults.json').toString()) as object[];
  const { faults, fault_count: count } = await refusal(station, fixture('faulty.csv'), 'csv');
  expect(faults!.map(({ reason: _, ...place }) => place)).toEqual(known);
  expect(count).toBe(known.length);
  for (const { reason } of faults!) expect(reason).not.toBe('');
});

it('shows the first hundred faults and counts all of them', async () => {
  const station = await newStation();
  const rows = Array.from({ length: 300 }, (_, at) => `id-${at % 200},name-${at},resource_type.a.b,on`);
  const { faults, fault_count: count } = await refusal(
    station,
    `resource_id,name,resource_type,state\n${rows.join('\n')}\n`,
    'csv',
  );
  expect(count).toBe(300);
  expect(faults!.map(({ line, field }) => [line, field])).toEqual(
    Array.from({ length: 100 }, (_, at) => [at + 2, 'state']),
  );
});

it('shows faults of records and conflicts between them in the order of their lines', async () => {
  const station = await newStation();
  const line = (id: string, more = '') =>
    `{"resource_id":"${id}","name":"n-${id}","resource_type":"resource_type.a.b"${more}}\n`;
  const pairs = Array.from({ length: 80 }, (_, at) => line('same') + line(`r-${at}`, ',"state":"on"'));
  const { faults, fault_count: count } = await refusal(station, pairs.join(''), 'ndjson');
  // The first of the same is no fault.
  expect(count).toBe(159);
  expect(faults!.map((fault) => fault.line)).toEqual(Array.from({ length: 100 }, (_, at) => at + 2));
  expect(faults!.slice(0, 2)).toMatchObject([
    { line: 2, field: 'state' },
    { line: 3, column: 1, field: 'resource_id', reason: '"same" is already on line 1' },
  ]);
});

it('names the place of a misspelt field in every format', async () => {
  const station = await newStation();
  await station.write(numbered(30));
  for (const [format, body, line, column] of [
    ['ndjson', '{"resource_id":"a","name":"a","resource_type":"resource_type.a.b"}\n {"stat":1}\n', 2, 3],
    ['json', '[\n  {"resource_id":"a","name":"a","resource_type":"resource_type.a.b",\n"stat":1}]', 3, 1],
    ['json', '{"resources":[\n{"resource_id":"a", "stat":1}],"page":null}', 2, 21],
    ['csv', 'resource_id,name,resource_type,stat\na,a,resource_type.a.b,1\n', 1, 32],
    ['yaml', '- resource_id: a\n  name: a\n  resource_type: resource_type.a.b\n  stat: 1\n', 4, 3],
  ] as const) {
    const { faults } = await refusal(station, body, format);
    const reason = 'is not a known field; did you mean "state"?';
    expect(faults).toContainEqual({ line, column, field: 'stat', reason });
  }
});
