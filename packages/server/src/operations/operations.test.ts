import { readFile } from 'node:fs/promises';
import { errorCodes, listParameterNames, operations, rosterParameterNames } from '@roster/contract';
import { openApiDocument } from '@roster/contract/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorAnswers } from '../http/error-status.ts';
import { TestServer } from '../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});

afterAll(() => server[Symbol.asyncDispose]());

describe('the OpenAPI document', () => {
  it('is served as it is, and describes every operation and no other', async () => {
    const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Record<string, object>;
    };
    expect(document).toEqual(JSON.parse(JSON.stringify(openApiDocument('0.1.0'))));
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const existing = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(existing.toSorted());
  });

  it('says of every operation what it does, in a title and in sentences', () => {
    type Described = { operationId: string; summary?: string; description?: string };
    const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, Described>> };
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    const silent = described.filter(
      ({ summary = '', description = '' }) => !summary || !/\.$/.test(description),
    );
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('names the query parameters of every operation as they are read, and no others', () => {
    type Described = { operationId: string; parameters?: { in: string; name: string }[] };
    const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, Described>> };
    const described = Object.values(paths).flatMap((methods) => Object.values(methods));
    const named = described.map(({ operationId, parameters = [] }) => [
      operationId,
      // `label` stands for `label.<key>`.
      parameters
        .filter(({ in: place, name }) => place === 'query' && name !== 'label')
        .map(({ name }) => name),
    ]);
    const read: Record<string, readonly string[]> = {
      ...Object.fromEntries(Object.keys(operations).map((id) => [id, []])),
      ...rosterParameterNames,
      listResources: listParameterNames,
    };
    expect(sortedNames(Object.fromEntries(named))).toEqual(sortedNames(read));
  });

  it.each(Object.entries(operations))('describes %s, and the server has it', async (_, { method, path }) => {
    const url = server.url + path.replace(/\{[^}]+\}/g, 'nothing');
    const response = await fetch(url, { method, headers: { 'Content-Type': 'application/json' } });
    const { code } = response.ok ? {} : ((await response.json()) as { code?: string });
    expect(['route_not_found', 'method_not_allowed']).not.toContain(code);
  });
});

function sortedNames(byOperation: Record<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(byOperation).map(([id, names]) => [id, names.toSorted()]));
}

describe('the reference', () => {
  const reference = (name: string) =>
    readFile(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8');

  it('lists every error code with its status, and no other', async () => {
    const text = await reference('errors.md');
    const listed = [...text.matchAll(/^\| `([a-z_]+)` *\| (\d{3}) *\|/gm)].map(([, code, status]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(Object.entries(errorAnswers).map(([code, [status]]) => [code, status])),
    );
    expect(listed).toHaveLength(errorCodes.length);
  });
});

describe('paths beside the operations', () => {
  it('are not found, in our own words', async () => {
    for (const path of [
      '/nope',
      '/types',
      '/assets/nope.js',
      '/index.html',
      '/roster/v1',
      '/monitor/ts/data/v1/subscriptions/a',
      '/healthz/x',
    ]) {
      const response = await fetch(server.url + path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ code: 'route_not_found' });
    }
  });

  it('have the same words below the reference', async () => {
    const missing = await fetch(`${server.url}/docs/nope`);
    expect([missing.status, ((await missing.json()) as { code: string }).code]).toEqual([
      404,
      'route_not_found',
    ]);
    const post = await fetch(`${server.url}/docs`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('tell which methods a known path has', async () => {
    const response = await fetch(`${server.url}/healthz`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('serve a reference that needs nothing from elsewhere', async () => {
    const page = await (await fetch(`${server.url}/docs/`)).text();
    expect(page).toContain('Roster');
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
