import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { type RosterError, type StationAddress, stationPath } from '@roster/contract';
import type { Batch, Store, WriteResult } from '@roster/engine';
import { createSqliteStore } from '@roster/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, stageBody } from './stage-body.ts';

const address: StationAddress = { subscription: 's', resourceGroup: 'g', zone: 'z', name: 't' };
const station = stationPath(address);
const nothing = { types: new Set<string>(), states: new Set<string>() };

let directory: string;
let store: Store;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-ingest-'));
  store = await createSqliteStore({ directory });
});

afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

async function openBatch(): Promise<Batch> {
  await store.deleteStation(address);
  await store.createStation(address);
  return store.openBatch(address);
}

async function writeBody(body: Body, batch: Batch): Promise<WriteResult> {
  await stageBody(body, batch);
  return batch.commit();
}

function bodyOf(text: string | Buffer, given: Partial<Body> = {}): Body {
  async function* chunks(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text as string);
    for (let start = 0; start < bytes.length; start += 100) yield bytes.subarray(start, start + 100);
  }
  return { chunks: chunks(), format: 'ndjson', maxBytes: 1e9, station, known: nothing, ...given };
}

async function refusalOf(body: Body): Promise<RosterError> {
  const batch = await openBatch();
  const error = (await stageBody(body, batch).catch((reason: unknown) => reason)) as RosterError;
  await batch.discard();
  expect(error.code).toBe('invalid_records');
  return error;
}

/** The errors that a body is refused with, each as `line:column field`. */
async function errorsOf(body: Body): Promise<{ total: number; faults: string[] }> {
  const { extensions } = await refusalOf(body);
  const { fault_count: total, faults } = extensions as { fault_count: number; faults: never[] };
  return {
    total,
    faults: faults.map(({ line, column, field }) => `${line}:${column} ${field ?? ''}`.trim()),
  };
}

const record = (id: string, given: object = {}) =>
  JSON.stringify({
    resource_id: id,
    name: `name-${id}`,
    resource_type: 'resource_type.compute.vm',
    ...given,
  });

describe('stageBody', () => {
  it.each([
    ['ndjson' as const, [record('a'), record('b')].join('\n')],
    ['json' as const, `[${record('a')},${record('b')}]`],
    ['json' as const, `{"resources": [${record('a')},${record('b')}], "page": null}`],
    ['csv' as const, 'resource_id,name,resource_type\na,x,resource_type.a.b\nb,y,resource_type.b.b'],
    ['yaml' as const, `- ${record('a')}\n- ${record('b')}`],
    ['yaml' as const, `resources:\n- ${record('a')}\n- ${record('b')}`],
  ])('stages %s, compressed or not', async (format, text) => {
    for (const [encoding, bytes] of [
      [undefined, text],
      ['gzip', zlib.gzipSync(text)],
      ['zstd', zlib.zstdCompressSync(text)],
    ] as const) {
      const result = await writeBody(bodyOf(bytes, { format, encoding }), await openBatch());
      expect(result).toMatchObject({ created: 2, head: { number: 1 } });
    }
  });

  it.each([
    ['json' as const, '[]'],
    ['json' as const, '{"resources":[]}'],
    ['csv' as const, 'resource_id,name,resource_type\n'],
    ['yaml' as const, 'resources:'],
  ])('takes %s without records: %j', async (format, text) => {
    expect(await writeBody(bodyOf(text, { format }), await openBatch())).toMatchObject({
      created: 0,
      head: { number: 0 },
    });
  });

  it('lists errors by line and column, including conflicts between records', async () => {
    const text = [
      record('a'),
      '{"name": 7, "resource_typ": 1, "resource_id": "b", "state": "x"}',
      '{"a": ',
      record('a', { name: 'other' }),
      record('c', { station: stationPath({ ...address, zone: 'y' }) }),
      record('d', { station: `/${station}` }),
      record('e', { name: 'name-d' }),
    ].join('\n');
    const { total, faults } = await errorsOf(bodyOf(text));
    expect(total).toBe(8);
    expect(faults.map((fault) => fault.replace(/^(4|7):\S+/, '$1:?'))).toEqual([
      '2:1 resource_type',
      '2:2 name',
      '2:13 resource_typ',
      '2:52 state',
      '3:7',
      '4:? resource_id',
      `5:${text.split('\n')[4]!.indexOf('"station"') + 1} station`,
      '7:? name',
    ]);
  });

  it('finds the fields of records on several lines', async () => {
    const json = `[\n  {"resource_id": "a",\n   "name": "",\n   "resource_type": "t"}\n]`;
    expect((await errorsOf(bodyOf(json, { format: 'json' }))).faults).toEqual([
      '3:4 name',
      '4:4 resource_type',
    ]);
    const yaml = 'resources:\n  - resource_id: 17\n    resource_type: resource_type.a.b\n    state: up\n';
    expect((await errorsOf(bodyOf(yaml, { format: 'yaml' }))).faults).toEqual([
      '2:3 name',
      '2:5 resource_id',
      '4:5 state',
    ]);
    const csv = 'resource_id,name,resource_type,alertable\n"a\nb","c",d,yes\n';
    expect((await errorsOf(bodyOf(csv, { format: 'csv' }))).faults).toEqual([
      '2:1 resource_id',
      '3:8 resource_type',
      '3:10 alertable',
    ]);
  });

  it('lists a hundred errors and counts all of them', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`unknown_${at}`, 1]));
    const { total, faults } = await errorsOf(bodyOf(`${record('a', unknown)}\n${'x\n'.repeat(1000)}`));
    expect([total, faults.length]).toEqual([1250, 100]);
    expect(faults.at(-1)).toContain('unknown_99');
  });

  it('counts all invalid records, however many there are', async () => {
    const { extensions } = await refusalOf(bodyOf(`${record('a')}\n${'x\n'.repeat(30_000)}`));
    expect(extensions).toMatchObject({ fault_count: 30_000 });
    expect(extensions).not.toHaveProperty('stopped_at_line');
  });

  it('stops at the ten thousandth invalid record of YAML, and says where', async () => {
    const invalidRecords = (count: number) =>
      bodyOf(`- ${record('a')}\n${'- x\n'.repeat(count)}`, { format: 'yaml' });
    const whole = await refusalOf(invalidRecords(9_999));
    expect(whole.extensions).not.toHaveProperty('stopped_at_line');
    expect(whole.message).toContain('written: 9999 errors');
    for (const count of [10_000, 12_000]) {
      const stopped = await refusalOf(invalidRecords(count));
      expect(stopped.extensions).toMatchObject({ fault_count: 10_000, stopped_at_line: 10_001 });
      expect(stopped.message).toBe(
        'nothing was written: at least 10000 errors in the records, the first 100 are listed; reading stopped at line 10001',
      );
    }
  });

  it('stops when the client has left', async () => {
    const leaving = new AbortController();
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        yield Buffer.from(`${record(String(sent))}\n`);
        if (++sent === 50) leaving.abort(new Error('left'));
      }
    }
    const batch = await openBatch();
    const body = bodyOf('', { chunks: endless(), signal: leaving.signal });
    await expect(stageBody(body, batch)).rejects.toThrow('left');
    expect(sent).toBe(50);
    await batch.discard();
  });

  it('shortens a long field name, and knows its position', async () => {
    const name = 'x'.repeat(60_000);
    const { extensions } = await refusalOf(bodyOf(record('a', { [name]: 1 })));
    const column = record('a').length + 1;
    expect(extensions).toMatchObject({ faults: [{ line: 1, column, field: `${name.slice(0, 80)}…` }] });
    const yaml = await refusalOf(bodyOf(`- {${name}: 1, ${name}: 2}`, { format: 'yaml' }));
    expect(JSON.stringify(yaml.extensions).length).toBeLessThan(1_000);
  });

  it('refuses records with too many different values', async () => {
    const states = new Set(Array.from({ length: 999 }, (_, at) => `ALERTSTATE_${at}`));
    const types = new Set(Array.from({ length: 9_999 }, (_, at) => `resource_type.a.${at}`));
    const text = ['x', 'y', '7', 'x', 'z']
      .map((name, at) =>
        record(String(at), {
          state: `ALERTSTATE_${name.toUpperCase()}`,
          resource_type: `resource_type.a.${name}`,
        }),
      )
      .join('\n');
    const body = bodyOf(text, { known: { types, states } });
    expect((await errorsOf(body)).faults.map((fault) => fault.replace(/:\d+/, ''))).toEqual([
      '2 resource_type',
      '2 state',
      '5 resource_type',
      '5 state',
    ]);
  });

  it('refuses to replace a station by one page of a listing', async () => {
    const listing = (page: object | null) =>
      `{"resources": [${record('a')}], "page": ${JSON.stringify(page)}}`;
    const staged = (text: string, mode: 'merge' | 'replace') =>
      openBatch().then((batch) => writeBody(bodyOf(text, { format: 'json', mode }), batch));
    const refusal = {
      code: 'invalid_body',
      message: expect.stringContaining(
        'one page of a listing (1 of 3 resources); a replace needs all of them',
      ),
    };
    await expect(staged(listing({ offset: 0, size: 1, total: 3 }), 'replace')).rejects.toMatchObject(refusal);
    await expect(staged(listing({ offset: 2, size: 1, total: 3 }), 'replace')).rejects.toMatchObject(refusal);
    await expect(staged(listing({ offset: 0, size: 50, total: 1 }), 'replace')).resolves.toMatchObject({
      created: 1,
    });
    await expect(staged(listing(null), 'replace')).resolves.toMatchObject({ created: 1 });
    await expect(staged(listing({ offset: 2, size: 1, total: 3 }), 'merge')).resolves.toMatchObject({
      created: 1,
    });
  });

  it('throws every error, and leaves the batch to be discarded', async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${record('a')}\n`);
      throw new Error('aborted');
    }
    const bodies: Body[] = [
      bodyOf('{"a":'),
      bodyOf('{}', { format: 'json' }),
      bodyOf(record('a'), { maxBytes: 20 }),
      bodyOf(record('a'), { encoding: 'gzip' }),
      bodyOf(record('a'), { encoding: 'lzma' }),
      bodyOf('', { chunks: failing() }),
    ];
    for (const body of bodies) {
      const batch = await openBatch();
      await expect(stageBody(body, batch)).rejects.toThrow();
      await batch.discard();
    }
  });

  it('yields to others while it reads', async () => {
    // Invalid records do not go to the store, which would be awaited.
    const invalid = record('r', { sku: 1 });
    const text = Array.from({ length: 5000 }, () => `- ${invalid}`).join('\n');
    const batch = await openBatch();
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    async function* whole(): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    }
    await expect(stageBody(bodyOf('', { chunks: whole(), format: 'yaml' }), batch)).rejects.toThrow();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(25);
  });
});
