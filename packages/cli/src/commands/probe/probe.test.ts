import { describe, expect, it } from 'vitest';
import { resource } from '../../../../../testing/resource.ts';
import { sendJson, startLocalServer } from '../../testing/local-server.ts';
import { runRoster } from '../../testing/run-roster.ts';
import { startRoster } from '../../testing/start-roster.ts';
import { questions } from './run-probe.ts';

const station = 'demo/sample/zone-1/station-1';
const fast = ['--pause', '0'];

interface Finding {
  readonly id: string;
  readonly finding: string | null;
  readonly same: boolean | null;
}

const findingsOf = (stdout: string) =>
  Object.fromEntries((JSON.parse(stdout) as Finding[]).map(({ id, finding }) => [id, finding]));

describe('roster probe', () => {
  it('finds all decisions of Roster in Roster', async () => {
    const roster = await startRoster();
    const { code, stdout, stderr } = await runRoster([
      'probe',
      roster.url,
      station,
      '--strict',
      '-o',
      'json',
      ...fast,
    ]);
    await roster.stop();
    expect((JSON.parse(stdout) as Finding[]).filter(({ same }) => same !== true)).toEqual([]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      new RegExp(
        `^\\d\\d requests: ${questions.length} questions, 0 different from Roster, 0 undetermined\n$`,
      ),
    );
  });

  it('finds out how a lenient server does it, with few requests that only read', async () => {
    const { url, requests } = await startLenientServer();
    const { code, stdout } = await runRoster(['probe', url, station, '--strict', '-o', 'json', ...fast]);
    expect(code).toBe(1);
    expect(findingsOf(stdout)).toMatchObject({
      'null-page': 'a part of the list, a page object',
      'default-size': '10',
      'size-meaning': 'the rows given',
      'size-limit': 'cut to 100',
      'not-a-number': 'ignored',
      'page-numbers': 'strings',
      delimiter: 'repetition',
      'filters-combine': 'or, or one is ignored',
      'unknown-parameter': 'nothing',
      'rules-count': 'string',
      'create-time': 'RFC 3339 with an offset without a fraction',
      states: '"OK"',
      fields: 'also region, not gpu_model',
      order: 'by resource_id',
      'unknown-station': 'an empty list',
      conditional: 'no ETag',
      snapshots: 'no',
    });
    expect(requests.length).toBeLessThanOrEqual(40);
    for (const request of requests) expect(request).toMatch(/^(GET|HEAD|OPTIONS) /);
  });

  it('reports what it cannot determine in an empty station', async () => {
    const { url } = await startLocalServer((_, response) =>
      sendJson(response, { resources: [], page: { offset: 0, size: 0, total: 0 } }),
    );
    const { stdout } = await runRoster(['probe', url, station, '-o', 'json', ...fast]);
    expect(findingsOf(stdout)).toMatchObject({ delimiter: null, order: null, 'rules-count': null });
  });

  it('waits when it is asked to', async () => {
    let isBusy = true;
    const { url, requests } = await startLocalServer((_, response) => {
      if (isBusy && requests.length > 3) {
        isBusy = false;
        response.writeHead(429, { 'Retry-After': '1' }).end();
      } else sendJson(response, { resources: [], page: null });
    });
    const startedAt = performance.now();
    expect((await runRoster(['probe', url, station, ...fast])).code).toBe(0);
    expect(performance.now() - startedAt).toBeGreaterThan(1000);
  });

  it('reports a server that goes away', async () => {
    const { url, requests } = await startLocalServer((_, response) => {
      if (requests.length > 3) response.destroy();
      else sendJson(response, { resources: [], page: null });
    });
    const { code, stdout, stderr } = await runRoster(['probe', url, station, ...fast]);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^roster: the server stopped answering, at GET /);
  });

  it('keeps the token of another server to itself', async () => {
    const tokens = new Set<unknown>();
    const { url } = await startLocalServer((_, response, { headers }) => {
      tokens.add(headers.authorization);
      sendJson(response, { resources: [], page: null });
    });
    const environment = { ROSTER_SERVER: 'http://127.0.0.1:1', ROSTER_TOKEN: 'secret-of-that-one' };
    const { stderr } = await runRoster(['probe', url, station, ...fast], { environment });
    expect(stderr).toMatch(/^roster: ROSTER_TOKEN belongs to ROSTER_SERVER and is not sent/);
    expect(tokens).toEqual(new Set([undefined]));
    tokens.clear();
    await runRoster(['probe', url, station, ...fast], {
      environment: { ROSTER_TOKEN: 'secret-of-this-one' },
    });
    expect(tokens).toEqual(new Set(['Bearer secret-of-this-one']));
  });

  it.each([
    [{ detail: 'no' }, 401, 4],
    [{ detail: 'no' }, 404, 3],
  ])('ends with the usual exit codes when there is nothing to probe', async (body, status, exitCode) => {
    const { url } = await startLocalServer((_, response) => sendJson(response, body, status));
    expect((await runRoster(['probe', url, station, ...fast])).code).toBe(exitCode);
  });
});

/** Decides nearly everything in another way than Roster. */
function startLenientServer() {
  const all = Array.from({ length: 200 }, (_, at) => {
    const { gpu_model: _model, ...rest } = resource(`r${String(at).padStart(3, '0')}`, {
      display_name: `vm ${(at * 7) % 200}`,
      alert_rules_count: '1',
      state: 'OK',
      region: 'north',
      create_time: '2026-01-31T08:00:00+01:00',
    });
    return rest;
  });
  return startLocalServer((url, response) => {
    if (url.pathname.includes('no-such')) return sendJson(response, { resources: [], page: null });
    const { searchParams: search } = url;
    const ids = search.getAll('resource_ids');
    const matches = ids.length === 0 ? all : all.filter(({ resource_id: id }) => ids.includes(id as string));
    const offset = Math.max(0, Number(search.get('page.offset') ?? 0));
    const size = Math.min(100, Number.parseInt(search.get('page.size') ?? '10', 10) || 10);
    const resources = matches.slice(offset, offset + size);
    const page = { offset: String(offset), size: String(resources.length), total: String(matches.length) };
    sendJson(response, { resources, page });
  });
}
