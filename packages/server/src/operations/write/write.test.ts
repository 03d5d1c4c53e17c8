import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(() => server.empty());

afterAll(() => server[Symbol.asyncDispose]());

describe('stations', () => {
  it('are created once, deleted, and created anew with another history', async () => {
    const first = await server.createStation();
    expect(first.status).toBe(201);
    const { revision, station } = (await first.json()) as { revision: string; station: string };
    expect(station).toBe('subscriptions/s/resourceGroups/g/zones/z/telemetryStations/t');
    const again = await server.createStation();
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ revision, station });
    expect(await server.listed()).toEqual({ resources: [], page: null });
    expect((await server.manage('', { method: 'DELETE' })).status).toBe(204);
    expect((await server.manage('', { method: 'DELETE' })).status).toBe(404);
    expect((await server.list()).status).toBe(404);
    const anew = (await (await server.createStation()).json()) as { revision: string };
    expect(anew.revision.split('.')[0]).not.toBe(revision.split('.')[0]);
  });

  it('may have any name that can be typed, and no other', async () => {
    const put = (name: string) =>
      fetch(`${server.url}/roster/v1/subscriptions/${name}/resourceGroups/g/zones/z/telemetryStations/t`, {
        method: 'PUT',
      });
    for (const name of ['a%2Fb', '%E8%8A%82', 'a%20b', "o'x", '%25']) {
      expect((await put(name)).status).toBe(201);
      const list = `${server.url}/monitor/ts/data/v1/subscriptions/${name}/resourceGroups/g/zones/z/telemetryStations/t/resources`;
      expect((await fetch(list)).status).toBe(200);
    }
    for (const name of ['a%00b', '%20a', 'x'.repeat(257), 'a%0Ab']) {
      const response = await put(name);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'invalid_parameter',
        parameter: 'subscription_name',
      });
    }
    expect((await put('%FF')).status).toBe(400);
  });
});

describe('writing resources', () => {
  beforeEach(async () => {
    await server.createStation();
  });

  it('names states that are new to the station, usual ones aside', async () => {
    const newStates = async (mode: string, ...states: string[]) => {
      const body = JSON.stringify(states.map((state, at) => record(`r${at}`, { state })));
      const headers = { 'Content-Type': 'application/json' };
      const answer = await server.manage(`/resources?${mode}`, { method: 'POST', headers, body });
      return ((await answer.json()) as { new_states: string[] }).new_states;
    };
    const typo = 'ALERTSTATE_FIRINGG';
    expect(await newStates('dry_run=true', 'ALERTSTATE_FIRING', typo)).toEqual([typo]);
    expect(await newStates('', 'ALERTSTATE_FIRING', typo, 'ALERTSTATE_A')).toEqual(['ALERTSTATE_A', typo]);
    expect(await newStates('', typo, typo, 'ALERTSTATE_SUPPRESSED')).toEqual([]);
    expect(await newStates('mode=replace', typo, 'ALERTSTATE_A', 'ALERTSTATE_A')).toEqual(['ALERTSTATE_A']);
  });

  it('counts what was created, updated and left unchanged', async () => {
    const first = await server.write(record('a'), record('b'));
    expect(first.status).toBe(200);
    const { revision, ...counts } = (await first.json()) as { revision: string };
    const newTypes = ['resource_type.compute.vm'];
    expect(counts).toEqual({
      created: 2,
      updated: 0,
      unchanged: 0,
      removed: 0,
      new_types: newTypes,
      new_states: [],
    });
    expect(first.headers.get('roster-revision')).toBe(revision);
    const second = (await (
      await server.write(record('a', { sku: '1 GPU' }), record('b'), record('c'))
    ).json()) as object;
    expect(second).toMatchObject({ created: 1, updated: 1, unchanged: 1 });
    const third = (await (await server.write(record('a'), record('c'))).json()) as { revision: string };
    expect(third).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 2,
      revision: (second as { revision: string }).revision,
    });
  });

  it('keeps what a later record leaves out', async () => {
    await server.write(
      record('a', { sku: '8 GPU', state: 'ALERTSTATE_FIRING', create_time: '2020-01-01T00:00:00Z' }),
    );
    await server.write(record('a', { alert_rules_count: '3' }));
    const { resources } = await server.listed();
    expect(resources[0]).toMatchObject({
      sku: '8 GPU',
      state: 'ALERTSTATE_FIRING',
      create_time: '2020-01-01T00:00:00.000Z',
      alert_rules_count: 3,
    });
  });

  it('takes NDJSON with blank lines, CRLF, a byte order mark and no newline at the end', async () => {
    const lines = [
      '',
      JSON.stringify(record('a')),
      '   ',
      JSON.stringify(record('b', { display_name: '节' })),
    ];
    const response = await server.writeText(`\ufeff${lines.join('\r\n')}`);
    expect(await response.json()).toMatchObject({ created: 2 });
  });

  it('takes a JSON array in any layout', async () => {
    const tricky = record('a', { display_name: 'x],[{"\\ y' });
    const text = ` [ ${JSON.stringify(tricky, null, 2)} ,\n${JSON.stringify(record('b'))}\n] \n`;
    expect(await (await server.writeText(text, 'application/json; charset=utf-8')).json()).toMatchObject({
      created: 2,
    });
    expect(await (await server.writeText('[]', 'application/json')).json()).toMatchObject({ created: 0 });
    expect((await server.listed('resource_ids=a')).resources[0]).toMatchObject({
      display_name: 'x],[{"\\ y',
    });
  });

  it('lists every bad line and writes nothing', async () => {
    await server.write(record('old', { name: 'taken' }));
    const lines = [
      JSON.stringify(record('a')),
      '{"resource_id": ',
      JSON.stringify({ ...record('b'), state: 'nope', sku: 7 }),
      JSON.stringify(record('a', { name: 'other' })),
      '[]',
      JSON.stringify(record('c', { name: 'taken' })),
      JSON.stringify(record('d', { name: 'name-a' })),
    ];
    const response = await server.writeText(lines.join('\n'));
    expect(response.status).toBe(422);
    const problem = (await response.json()) as {
      fault_count: number;
      faults: { line: number; field?: string }[];
    };
    expect(problem).toMatchObject({ code: 'invalid_records', fault_count: 7 });
    expect(problem.faults.map(({ line, field }) => [line, field])).toEqual([
      [2, undefined],
      [3, 'state'],
      [3, 'sku'],
      [4, 'resource_id'],
      [5, undefined],
      [6, 'name'],
      [7, 'name'],
    ]);
    expect(await server.ids()).toEqual(['old']);
  });

  it('refuses a record that is too long also when it is the only one of an array', async () => {
    const response = await server.write(record('a', { sku: 'x'.repeat(70_000) }));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ fault_count: 1, faults: [{ line: 1 }] });
  });

  it('counts every fault of a single record', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`unknown_${at}`, 1]));
    expect(await (await server.write(record('a', unknown))).json()).toMatchObject({ fault_count: 250 });
  });

  it('refuses parameters that it does not have', async () => {
    for (const [rest, method] of [
      ['?dryRun=1', 'PUT'],
      ['/resources?dryRun=true', 'POST'],
      ['/resources/a?force', 'DELETE'],
    ] as const) {
      const response = await server.manage(rest, { method });
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        400,
        'unknown_parameter',
      ]);
    }
  });

  it('lists at most a hundred faults and counts all of them', async () => {
    const response = await server.writeText('x\n'.repeat(1234));
    const problem = (await response.json()) as { fault_count: number; faults: { line: number }[] };
    expect(problem.fault_count).toBe(1234);
    expect(problem.faults.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it('refuses bytes that are not UTF-8, and records that are too long', async () => {
    const bytes = Buffer.concat([Buffer.from('{"name": "'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    const broken = (await (await server.writeText(new Uint8Array(bytes))).json()) as { faults: object[] };
    expect(broken.faults).toEqual([
      { line: 1, column: 11, reason: 'is not valid UTF-8; save the file as UTF-8' },
    ]);
    const long = JSON.stringify(record('a', { display_name: 'x'.repeat(200_000) }));
    const tooLong = (await (await server.writeText(`${long}\n${long}`)).json()) as { faults: object[] };
    expect(tooLong.faults).toEqual([
      { line: 1, column: 1, reason: 'a record may have at most 65536 bytes' },
      { line: 2, column: 1, reason: 'a record may have at most 65536 bytes' },
    ]);
  });

  it.each([
    ['{"a": 1}', 'application/json', 400, 'invalid_body'],
    ['[{"a": 1}', 'application/json', 400, 'invalid_body'],
    ['[] x', 'application/json', 400, 'invalid_body'],
    ['', 'application/json', 400, 'invalid_body'],
    ['\n', 'application/x-ndjson', 400, 'invalid_body'],
    ['[1,]', 'application/json', 422, 'invalid_records'],
    ['[}', 'application/json', 400, 'invalid_body'],
    ['a,b', 'text/csv', 422, 'invalid_records'],
    ['x', 'nonsense', 415, 'unsupported_media_type'],
  ])('refuses %j as %s with %i', async (body, contentType, status, code) => {
    const response = await server.writeText(body, contentType);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code });
  });

  it('needs a station', async () => {
    await server.manage('', { method: 'DELETE' });
    const response = await server.write(record('a'));
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
      404,
      'station_not_found',
    ]);
  });

  it('removes a resource by its id, whatever the id looks like', async () => {
    const id = 'a/b?c#d%20节';
    await server.write(record(id), record('b'));
    const remove = () => server.manage(`/resources/${encodeURIComponent(id)}`, { method: 'DELETE' });
    expect(await (await remove()).json()).toMatchObject({ removed: 1, created: 0 });
    const again = await remove();
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([
      404,
      'resource_not_found',
    ]);
    expect(await server.ids()).toEqual(['b']);
  });

  it('keeps one batch apart from another under concurrent writers', async () => {
    const batches = Array.from({ length: 20 }, (_, batch) =>
      Array.from({ length: 50 }, (__, at) => record(`r-${at}`, { display_name: `batch ${batch}` })),
    );
    const reads: Promise<void>[] = [];
    const check = async () => {
      const { resources } = await server.listed();
      expect(new Set(resources.map((each) => each.display_name)).size).toBeLessThanOrEqual(1);
    };
    await Promise.all(
      batches.map(async (batch) => {
        reads.push(check());
        await server.write(...batch);
        reads.push(check());
      }),
    );
    await Promise.all(reads);
  });
});
