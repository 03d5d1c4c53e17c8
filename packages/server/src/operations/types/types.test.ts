import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { record, TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
  await server.createStation();
});

afterAll(() => server[Symbol.asyncDispose]());

const key = 'resource_type.compute.gpu_node';
const types = (path = '', init: RequestInit = {}) =>
  fetch(`${server.url}/roster/v1/resource-types${path}`, init);
const putType = (body: unknown, at = key, condition: Record<string, string> = {}) =>
  types(`/${at}`, {
    method: 'PUT',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...condition },
  });

describe('resource types', () => {
  it('are created, replaced as a whole, read and deleted', async () => {
    const created = await putType({ labels: { en: 'GPU node', zh: 'GPU 节点' }, product: 'product.gpu' });
    expect(created.status).toBe(201);
    expect(await created.json()).toEqual({
      key,
      label: 'GPU node',
      labels: { en: 'GPU node', zh: 'GPU 节点' },
      product: 'product.gpu',
      alertable: true,
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const replaced = await putType({ labels: { zh: 'GPU 节点' }, alertable: false });
    expect([replaced.status, await replaced.json()]).toEqual([
      200,
      {
        key,
        label: 'Compute gpu node',
        labels: { zh: 'GPU 节点' },
        product: '',
        alertable: false,
        version: expect.any(String),
      },
    ]);
    const read = await types(`/${key}`, { headers: { 'Accept-Language': 'zh-CN' } });
    expect(read.headers.get('content-language')).toBe('zh');
    expect(await read.json()).toMatchObject({ label: 'GPU 节点' });
    expect((await types(`/${key}`, { method: 'DELETE' })).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const gone = await types(`/${key}`, { method });
      expect([gone.status, await gone.json()]).toMatchObject([404, { code: 'type_not_found' }]);
    }
  });

  it('are written only while nobody else has, where a condition asks for that', async () => {
    const at = 'resource_type.test.edited';
    const create = () => putType({ labels: { en: 'First' } }, at, { 'If-None-Match': '*' });
    const [one, other] = await Promise.all([create(), create()]);
    expect([one.status, other.status].toSorted()).toEqual([201, 412]);
    const read = await types(`/${at}`, { headers: { 'Accept-Language': 'fr' } });
    const etag = read.headers.get('etag')!;
    const { version } = (await read.json()) as { version: string };
    expect(etag).toMatch(new RegExp(`^"${version}-`));
    const edit = (label: string) => putType({ labels: { en: label } }, at, { 'If-Match': etag });
    const edits = await Promise.all(['Second', 'Third'].map(edit));
    expect(edits.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const refused = (await edits.find(({ status }) => status === 412)!.json()) as { code: string };
    expect(refused.code).toBe('type_mismatch');
    const gone = await types(`/${at}`, { method: 'DELETE', headers: { 'If-Match': `"${version}"` } });
    expect([gone.status, await gone.json()]).toMatchObject([412, { code: 'type_mismatch' }]);
    const saved = edits.find(({ status }) => status === 200)!;
    const now = saved.headers.get('etag')!;
    expect((await types(`/${at}`, { headers: { 'If-None-Match': now } })).status).toBe(304);
    expect((await types(`/${at}`, { headers: { 'If-None-Match': etag } })).status).toBe(200);
    expect((await types(`/${at}`, { method: 'DELETE', headers: { 'If-Match': now } })).status).toBe(204);
    expect((await putType({}, at, { 'If-Match': '*' })).status).toBe(412);
    expect((await types(`/${at}`)).status).toBe(404);
  });

  it('may be sent back as they were read', async () => {
    const at = 'resource_type.test.returned';
    const created = await putType({ labels: { en: 'Returned' }, product: 'product.back' }, at);
    const read = (await created.json()) as object;
    const again = await putType(read, at);
    expect([again.status, await again.json()]).toEqual([200, read]);
  });

  it('refuse conditions that cannot be meant', async () => {
    for (const condition of [{ 'If-Match': '"k3v9x0a1bc.42"' }, { 'If-None-Match': '"0123"' }]) {
      const response = await putType({}, 'resource_type.test.refused', condition);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_parameter' }]);
    }
  });

  it('show their labels in lists at once, with another ETag', async () => {
    await server.write(record('labelled', { resource_type: 'resource_type.test.labelled' }));
    const query = 'resource_ids=labelled';
    const before = await server.list(query);
    expect(await before.json()).toMatchObject({ resources: [{ resource_type: { label: 'Test labelled' } }] });
    await putType({ labels: { en: 'Relabelled' } }, 'resource_type.test.labelled');
    const etag = before.headers.get('etag')!;
    const after = await server.list(query, { headers: { 'If-None-Match': etag } });
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({ resources: [{ resource_type: { label: 'Relabelled' } }] });
  });

  it('give new resources their product and whether they can have alerts', async () => {
    const type = 'resource_type.test.defaults';
    await putType({ product: 'product.defaults', alertable: false }, type);
    await server.write(
      record('plain', { resource_type: type }),
      record('own', { resource_type: type, product: 'product.own', alertable: true }),
    );
    expect(await server.ids('product=product.defaults')).toEqual(['plain']);
    expect(await server.ids('product=product.own&enabled_alert=true')).toEqual(['own']);
    await putType({ product: 'product.later' }, type);
    await server.write(record('plain', { resource_type: type, sku: '1 x' }));
    expect(await server.ids('product=product.defaults')).toEqual(['plain']);
  });

  it('that were not known before are named by the write that brings them', async () => {
    const response = await server.write(
      record('new-b', { resource_type: 'resource_type.test.newcomer_b' }),
      record('new-a', { resource_type: { key: 'resource_type.test.newcomer_a', label: 'Newcomer' } }),
    );
    expect(await response.json()).toMatchObject({
      new_types: ['resource_type.test.newcomer_a', 'resource_type.test.newcomer_b'],
    });
    expect(await (await types('/resource_type.test.newcomer_a')).json()).toMatchObject({ label: 'Newcomer' });
    expect(await (await types('/resource_type.test.newcomer_b')).json()).toMatchObject({
      label: 'Test newcomer b',
      labels: {},
    });
  });

  it('are listed by key', async () => {
    const { resource_types: listed } = (await (await types()).json()) as {
      resource_types: { key: string }[];
    };
    const keys = listed.map((type) => type.key);
    expect(keys).toEqual(keys.toSorted());
    expect(keys).toContain('resource_type.test.defaults');
  });

  it('cannot be deleted while a resource is of them', async () => {
    const type = 'resource_type.test.used';
    await server.write(record('used', { resource_type: type }));
    const refused = await types(`/${type}`, { method: 'DELETE' });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'type_in_use' }]);
    await server.manage('/resources/used', { method: 'DELETE' });
    expect((await types(`/${type}`, { method: 'DELETE' })).status).toBe(204);
  });

  it('can be put back as they were read', async () => {
    const type = 'resource_type.test.read_back';
    await putType({ labels: { en: 'Read back', zh: '读回' }, product: 'product.x', alertable: false }, type);
    for (const language of ['en', 'zh', 'fr']) {
      const read = await (await types(`/${type}`, { headers: { 'Accept-Language': language } })).json();
      expect((await putType(read, type)).status).toBe(200);
    }
    const unlabelled = 'resource_type.test.unlabelled';
    await putType({}, unlabelled);
    expect((await putType(await (await types(`/${unlabelled}`)).json(), unlabelled)).status).toBe(200);
  });

  it('refuse what is wrong, and change nothing', async () => {
    const wrong = await putType({ labels: { en: 'x\u0000' }, alertable: 1 });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: 'invalid_body' }]);
    const text = await types(`/${key}`, {
      method: 'PUT',
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect([text.status, await text.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    const broken = await types(`/${key}`, {
      method: 'PUT',
      body: '{"labels":',
      headers: { 'Content-Type': 'application/json' },
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'invalid_body' }]);
    const large = await putType({ labels: { en: 'x'.repeat(300_000) } });
    expect([large.status, await large.json()]).toMatchObject([413, { code: 'body_too_large' }]);
    const badKey = await putType({}, 'vm');
    expect([badKey.status, await badKey.json()]).toMatchObject([400, { parameter: 'type_key' }]);
    const conditional = await types(`/${key}`, { method: 'DELETE', headers: { 'If-Match': '"a.1"' } });
    expect([conditional.status, await conditional.json()]).toMatchObject([400, { parameter: 'If-Match' }]);
    const many = await putType(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, 1])));
    expect((await many.text()).length).toBeLessThan(10_000);
    expect((await types(`/${key}`)).status).toBe(404);
  });

  it('that are put as they are change no list', async () => {
    const type = 'resource_type.test.same';
    await putType({ labels: { en: 'Same' } }, type);
    const etag = (await server.list('page.size=0')).headers.get('etag')!;
    await putType({ labels: { en: 'Same' } }, type);
    expect((await server.list('page.size=0', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});
