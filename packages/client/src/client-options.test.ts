import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { ClientOptions } from './client-options.ts';
import { startListServer } from './testing/list-server.ts';

const emptyList = () => startListServer(() => ({ resources: [], page: null }));

describe('the options of a client', () => {
  it.each<[Partial<ClientOptions>, string]>([
    [{ baseUrl: 'localhost:8080' }, 'baseUrl must be an absolute URL with http or https'],
    [{ baseUrl: undefined as never }, 'baseUrl must be an absolute URL'],
    [{ baseUrl: 'http://me:hidden@host' }, 'baseUrl must not contain credentials; use token or headers'],
    [{ baseUrl: 'http://host/?a=b' }, 'baseUrl must not have a query or fragment'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a whole number'],
    [{ timeoutMs: 2 ** 31 }, 'timeoutMs must be a whole number from 0 to 2147483647'],
    [{ retries: Number.NaN }, 'retries must be a whole number'],
    [{ listDelimiter: ';' as never }, 'listDelimiter must be comma or repeat, got ";"'],
    [{ etagCache: { maxEntries: -1 } }, 'etagCache.maxEntries must be a whole number'],
    [{ headers: { 'X-Key': 'hidden\n' } }, 'the header X-Key must be a single line'],
    [{ headers: { 'bad name': 'x' } }, '"bad name" is not a valid header name'],
    [{ acceptLanguage: '中' }, 'the header Accept-Language must be'],
    [{ timeout: 5 } as never, '"timeout" is not a member of the client options; known members are baseUrl,'],
  ])('are refused when they are %j, without showing a secret', (options, reason) => {
    const create = () => createClient({ baseUrl: 'http://localhost', ...options });
    expect(create).toThrow(reason);
    expect(create).not.toThrow('hidden');
  });

  it('accept a token function, called before every request', async () => {
    const server = await emptyList();
    let number = 0;
    const client = createClient({ baseUrl: server.url, token: async () => `token-${++number}` });
    await client.station('a/b/c/d').list();
    await client.station('a/b/c/d').list();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it.each(['', 'two words', 'line\n', 'ü'])('hold no token such as %j', async (token) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', token });
    await expect(client.station('a/b/c/d').list()).rejects.toThrow('token must consist of visible ASCII');
  });

  it('hold headers for servers that want other credentials', async () => {
    const server = await emptyList();
    const client = createClient({
      baseUrl: server.url,
      headers: { 'X-Api-Key': 'k', 'accept-language': 'zh' },
    });
    await client.station('a/b/c/d').list({}, { acceptLanguage: 'en' });
    expect(server.requests[0]!.headers).toMatchObject({ 'x-api-key': 'k', 'accept-language': 'en' });
  });

  it('hold another fetch', async () => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: new URL('https://roster.example.com/x'),
      fetch: async (url) => {
        asked.push(url);
        return Response.json({ resources: [], page: null });
      },
    });
    await client.station('a/b/c/d').list({ size: 1 });
    expect(asked).toEqual([
      'https://roster.example.com/x/monitor/ts/data/v1/subscriptions/a/resourceGroups/b/zones/c/telemetryStations/d/resources?page.size=1',
    ]);
  });
});
