import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

const hostile = [
  record('formula', { display_name: '=HYPERLINK("http://x")', sku: '+1', gpu_model: '-2', name: '@SUM(A1)' }),
  record('apostrophe', { display_name: "'=1", name: "''+x" }),
  record('quotes', { display_name: 'a "b", c', name: ' n ', sku: '中 😀' }),
  record('full', {
    product: 'product.gpu',
    alertable: false,
    state: 'ALERTSTATE_FIRING',
    alert_rules_count: 7,
    create_time: '2026-01-31T08:00:00.123456789Z',
    resource_type: { key: 'resource_type.compute.gpu_node', label: 'GPU, node' },
  }),
];

beforeAll(async () => {
  server = await TestServer.start();
  await server.createStation();
  await server.write(...hostile);
});

afterAll(() => server[Symbol.asyncDispose]());

const exported = (query = '', init: RequestInit = {}) => server.manage(`/export?${query}`, init);
const contentTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv', json: 'application/json' };

describe('an export', () => {
  it.each(['ndjson', 'csv', 'json'] as const)('as %s is written back without a change', async (format) => {
    const response = await exported(`format=${format}`);
    expect(response.headers.get('content-type')).toBe(`${contentTypes[format]}; charset=utf-8`);
    expect(response.headers.get('content-disposition')).toContain(`filename="t.${format}"`);
    const back = await server.manage('/resources?mode=replace', {
      method: 'POST',
      body: await response.text(),
      headers: { 'Content-Type': contentTypes[format] },
    });
    expect([back.status, await back.json()]).toMatchObject([
      200,
      { created: 0, updated: 0, unchanged: hostile.length, removed: 0 },
    ]);
  });

  it('as CSV holds no cell that a spreadsheet would execute', async () => {
    const text = await (await exported('format=csv')).text();
    const [header, ...rows] = text.split('\r\n');
    expect(header).toBe(
      'resource_id,name,display_name,resource_type,resource_type_label,product,alertable,state,' +
        'alert_rules_count,sku,gpu_model,create_time,state_since,labels',
    );
    expect(text).toContain(`formula,'@SUM(A1),"'=HYPERLINK(""http://x"")"`);
    for (const row of rows) expect(row).not.toMatch(/(^|,)"?[=+\-@]/);
  });

  it('takes the filters of the list and its order', async () => {
    const lines = (await (await exported('resource_display_name_prefix=name')).text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).resource_id)).toEqual(
      await server.ids('resource_display_name_prefix=name'),
    );
    expect(await (await exported('resource_ids=none')).text()).toBe('');
    expect(await (await exported('resource_ids=none&format=json')).json()).toEqual([]);
    expect((await exported('page.size=3')).status).toBe(400);
    expect((await exported('format=xml')).status).toBe(400);
  });

  it('can be asked for its headers alone', async () => {
    const head = await exported('format=csv', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, null, '']);
    expect(head.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  it('follows Accept, Accept-Language and conditions', async () => {
    const csv = await exported('', {
      headers: { Accept: 'text/html, text/csv;q=0.9, application/json;q=0.5' },
    });
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('vary')).toBe('Accept, Accept-Language, Roster-Revision');
    const etag = csv.headers.get('etag')!;
    const other = await exported('', { headers: { 'If-None-Match': etag } });
    expect(other.status).toBe(200);
    const same = await exported('', { headers: { Accept: 'text/csv', 'If-None-Match': etag } });
    expect(same.status).toBe(304);
    await fetch(`${server.url}/roster/v1/resource-types/resource_type.compute.gpu_node`, {
      method: 'PUT',
      body: JSON.stringify({ labels: { en: 'GPU node', zh: '节点' } }),
      headers: { 'Content-Type': 'application/json' },
    });
    const chinese = await exported('resource_ids=full', { headers: { 'Accept-Language': 'zh' } });
    expect(await chinese.json()).toMatchObject({ resource_type: { label: '节点' }, product: 'product.gpu' });
  });

  it('comes from one snapshot, however slowly it is read', async () => {
    const records = Array.from({ length: 5000 }, (_, at) =>
      record(`bulk-${at}`, { display_name: `bulk ${at}` }),
    );
    await server.write(...records);
    const response = await exported('resource_display_name_prefix=bulk');
    const reader = response.body!.getReader();
    const first = await reader.read();
    await server.manage('/resources?mode=replace&allow_removal=all', {
      method: 'POST',
      body: '[]',
      headers: { 'Content-Type': 'application/json' },
    });
    let text = new TextDecoder().decode(first.value, { stream: true });
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
    }
    expect(text.trimEnd().split('\n')).toHaveLength(5000);
  });
});
