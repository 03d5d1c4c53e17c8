import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
beforeEach(async () => {
  await server.empty();
  await server.createStation();
  await server.write(record('a', { sku: 'large' }), record('b'));
});

afterAll(() => server[Symbol.asyncDispose]());

async function patch(body: string, { search = '', type = 'application/x-ndjson', headers = {} } = {}) {
  const response = await server.manage(`/resources${search}`, {
    method: 'PATCH',
    headers: { 'Content-Type': type, ...headers },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function read(id: string): Promise<Record<string, unknown>> {
  return (await (await server.manage(`/resources/${id}`)).json()) as Record<string, unknown>;
}

it('changes states by id, and leaves everything else alone', async () => {
  const before = await read('a');
  const since = '2026-02-01T08:00:00.000Z';
  const lines = `{"resource_id":"a","state":"ALERTSTATE_FIRING","state_since":"${since}"}\n{"resource_id":"b"}`;
  const { status, body } = await patch(lines);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    created: 0,
    updated: 1,
    unchanged: 1,
    removed: 0,
    new_types: [],
    new_states: [],
  });
  expect((await patch('{"resource_id":"b","state":"ALERTSTATE_FIRINGG"}')).body).toMatchObject({
    new_states: ['ALERTSTATE_FIRINGG'],
  });
  expect(await read('a')).toMatchObject({
    sku: 'large',
    name: before.name,
    resource_type: before.resource_type,
    state: 'ALERTSTATE_FIRING',
    state_since: since,
  });
});

it('takes JSON, and neither tables nor YAML', async () => {
  const json = '[{"resource_id":"a","alert_rules_count":7,"labels":{"rack":"r1"}}]';
  expect(await patch(json, { type: 'application/json' })).toMatchObject({
    status: 200,
    body: { updated: 1 },
  });
  expect(await read('a')).toMatchObject({ alert_rules_count: 7, labels: { rack: 'r1' } });
  for (const type of ['text/csv', 'application/yaml']) {
    const { status, body } = await patch('resource_id,state\na,ALERTSTATE_FIRING\n', { type });
    expect(status).toBe(415);
    expect(body.detail).toContain('application/x-ndjson');
  }
});

it('writes nothing if a line is wrong, and tells each with its line', async () => {
  const { status, body } = await patch(
    [
      '{"resource_id":"a","state":"ALERTSTATE_FIRING"}',
      '{"resource_id":"missing","state":"ALERTSTATE_FIRING"}',
      '{"state":"ALERTSTATE_FIRING"}',
      '{"resource_id":"b","state":"firing"}',
    ].join('\n'),
  );
  expect(status).toBe(422);
  expect(body).toMatchObject({
    code: 'invalid_records',
    fault_count: 3,
    faults: [
      { line: 2, field: 'resource_id', reason: '"missing" is not in the station' },
      { line: 3, field: 'resource_id', reason: 'is required' },
      { line: 4, field: 'state' },
    ],
  });
  expect(await read('a')).toMatchObject({ state: 'ALERTSTATE_INACTIVE' });
});

it('plans, and depends on a revision', async () => {
  const line = '{"resource_id":"a","state":"ALERTSTATE_FIRING"}';
  const { body } = await patch(line, { search: '?dry_run=true' });
  expect(body).toMatchObject({ dry_run: true, updated: 1, changes: [{ line: 1 }] });
  expect(await patch(line, { headers: { 'If-Match': '"abc.7"' } })).toMatchObject({ status: 412 });
  expect(await patch(line, { search: '?mode=replace' })).toMatchObject({ status: 400 });
  expect(await patch(line, { headers: { 'If-Match': `"${body.revision}"` } })).toMatchObject({ status: 200 });
});
