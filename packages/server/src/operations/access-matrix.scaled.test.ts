import { type OperationId, operations, peopleRoles, type Role, roles } from '@roster/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../../../testing/scale.ts';
import { makeTokenText } from '../access/token-text.ts';
import { type Answered, ask, bearer } from '../testing/ask.ts';
import { record, TestServer } from '../testing/test-server.ts';

/** What scopes must cover: the station of the path, that of the view, nothing, or everything. */
type Over = 'station' | 'view' | 'own' | 'everything';

/** Who may do what, said once more: an operation that is missing here does not compile. */
const rules: Record<OperationId, 'open' | readonly [Role, Over]> = {
  listResources: ['reader', 'station'],
  getStation: ['reader', 'station'],
  getResource: ['reader', 'station'],
  searchResources: ['reader', 'station'],
  summariseResources: ['reader', 'station'],
  readTrends: ['reader', 'station'],
  listAlerts: ['reader', 'station'],
  receiveAlerts: ['source', 'station'],
  exportResources: ['reader', 'station'],
  listChanges: ['reader', 'station'],
  streamChanges: ['reader', 'station'],
  writeResources: ['writer', 'station'],
  patchResources: ['writer', 'station'],
  removeResource: ['writer', 'station'],
  createStation: ['admin', 'station'],
  deleteStation: ['admin', 'station'],
  listStations: ['reader', 'own'],
  searchEverywhere: ['reader', 'own'],
  listSources: ['reader', 'own'],
  listUnmatched: ['reader', 'own'],
  listTypes: ['reader', 'own'],
  getType: ['reader', 'own'],
  putType: ['admin', 'everything'],
  deleteType: ['admin', 'everything'],
  listViews: ['reader', 'own'],
  getView: ['reader', 'own'],
  putView: ['reader', 'own'],
  deleteView: ['reader', 'own'],
  runView: ['reader', 'own'],
  getSharedView: ['reader', 'view'],
  putSharedView: ['admin', 'everything'],
  deleteSharedView: ['admin', 'everything'],
  runSharedView: ['reader', 'view'],
  listTokens: ['admin', 'own'],
  createToken: ['admin', 'own'],
  revokeToken: ['admin', 'own'],
  getSession: 'open',
  createSession: 'open',
  deleteSession: 'open',
  beginSignIn: 'open',
  finishSignIn: 'open',
  metrics: ['reader', 'everything'],
  health: 'open',
  readiness: 'open',
  openapi: 'open',
};

/** What each role may do besides what needs the role itself. */
const alsoMay: Record<Role, readonly Role[]> = {
  source: [],
  reader: [],
  writer: ['reader'],
  admin: ['reader', 'writer', 'source'],
};

/** A source that is never there. */
const sources = JSON.stringify([
  {
    name: 'src',
    prometheus: { url: 'http://127.0.0.1:9', interval: '1h' },
    stations: ['subscriptions/acme/resourceGroups/g/zones/z/telemetryStations/there'],
    tie: [{ label: 'instance', to: 'name' }],
  },
  {
    name: 'hidden',
    prometheus: { url: 'http://127.0.0.1:9', interval: '1h' },
    stations: ['subscriptions/other/resourceGroups/g/zones/z/telemetryStations/there'],
    tie: [{ label: 'instance', to: 'name' }],
  },
]);

const ids = Object.keys(rules) as OperationId[];
const guarded = ids.filter((id) => rules[id] !== 'open');
const reads = guarded.filter((id) => operations[id].method === 'GET');
const writes = guarded.filter((id) => operations[id].method !== 'GET');
const ofStations = guarded.filter((id) => rules[id][1] === 'station');
const ofSharedViews = guarded.filter((id) => rules[id][1] === 'view');

const stations = {
  'in scope': 'acme there',
  'in scope, not existing': 'acme missing',
  'out of scope': 'other there',
  'out of scope, not existing': 'other missing',
} as const;
type Place = keyof typeof stations;
const places = Object.keys(stations) as Place[];
const scopes = { narrow: 'subscriptions/acme/**', full: '**' } as const;
type Width = keyof typeof scopes;
const widths = Object.keys(scopes) as Width[];

const typeKey = 'resource_type.compute.vm';
let server: TestServer;
let victimId: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await TestServer.start({
    ROSTER_AUTH: 'on',
    ROSTER_SOURCES: sources,
    ROSTER_LIMITS_REQUESTS_PER_SECOND: '0',
    ROSTER_LIMITS_FAILURES_PER_MINUTE: '0',
  });
  for (const role of roles) {
    for (const width of widths) tokens.set(`${role} ${width}`, await makeToken(role, scopes[width]));
  }
  await restoreViews();
  await restore();
});
afterAll(() => server[Symbol.asyncDispose]());

describe('every route', () => {
  it('has a rule, and every rule a route', () => {
    expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted());
    for (const id of ids) {
      const isStations = operations[id].path.includes('{telemetry_station_name}');
      expect([id, rules[id] !== 'open' && rules[id][1] === 'station']).toEqual([id, isStations]);
    }
  });

  it('that is open is open to anyone', async () => {
    for (const id of ids.filter((each) => rules[each] === 'open')) {
      const { status } = await call(id, 'in scope', {});
      expect([id, [200, 204, 303].includes(status)]).toEqual([id, true]);
    }
  });
});

shortOnly(describe)('without a valid credential', () => {
  const revoked = makeTokenText();
  const wrong: Record<string, () => Record<string, string>> = {
    'no token': () => ({}),
    'an empty header': () => ({ Authorization: '' }),
    'a token without scheme': () => ({ Authorization: tokens.get('admin full')! }),
    'another scheme': () => ({ Authorization: `Basic ${btoa(`x:${tokens.get('admin full')}`)}` }),
    'two tokens in one header': () => bearer(`${tokens.get('admin full')} ${tokens.get('admin full')}`),
    'a token that was never made': () => bearer(revoked),
    'a token cut off': () => bearer(tokens.get('admin full')!.slice(0, -1)),
    'a token with another case': () => bearer(tokens.get('admin full')!.toUpperCase()),
    'a JWT without signature': () => bearer(`${btoa('{"alg":"none"}')}.${btoa('{"sub":"x"}')}.`),
    'a cookie that is no token': () => ({ Cookie: 'roster_session=x', 'Sec-Fetch-Site': 'same-origin' }),
    'a cookie of another name': () => ({ Cookie: `session=${tokens.get('admin full')}` }),
    'a wrong header beside a good cookie': () => ({
      ...bearer('x'),
      Cookie: `roster_session=${tokens.get('admin full')}`,
      'Sec-Fetch-Site': 'same-origin',
    }),
    'a token in other headers': () => ({
      'X-Api-Key': tokens.get('admin full')!,
      'Proxy-Authorization': `Bearer ${tokens.get('admin full')}`,
    }),
  };
  it.each(Object.entries(wrong))(
    '%s: every guarded route answers 401 everywhere alike',
    async (_, headers) => {
      // All at once: those with a token that is not known share a question to the store, which are kept apart in time.
      const allAnswers = await Promise.all(
        guarded.map(async (id) => {
          const answered = await Promise.all(places.map((place) => call(id, place, headers())));
          return { id, answers: new Set(answered.map(comparable)) };
        }),
      );
      for (const { id, answers } of allAnswers) {
        expect([id, answers.size]).toEqual([id, 1]);
        const [answer] = answers;
        expect([id, answer]).toEqual([
          id,
          expect.stringMatching(/^{"status":401,.*"Bearer realm=.*:unauthorized/),
        ]);
      }
    },
  );
});

describe.each(roles)('a %s', (role) => {
  describe.each(scale(widths, ['full'] as const))('with a %s scope', (width) => {
    it('is denied by every route that is not for it, with the same words whether or not a station exists', async () => {
      const before = await worldAsItIs();
      for (const id of guarded) {
        const answers = new Set<string>();
        for (const place of places.filter((each) => !isAllowed(id, role, width, each))) {
          for (const credential of triedOf(role, width)) {
            const answered = await call(id, place, credential);
            expect([id, place, answered.status]).toEqual([id, place, 403]);
            answers.add(comparable(answered));
          }
        }
        expect([id, answers.size <= 1]).toEqual([id, true]);
      }
      expect(await worldAsItIs()).toEqual(before);
    });

    it.each(reads)('may %s where the rule says so', async (id) => {
      for (const place of places.filter((each) => isAllowed(id, role, width, each))) {
        for (const credential of triedOf(role, width)) {
          for (const method of ['GET', 'HEAD']) {
            const { status } = await call(id, place, credential, method);
            const isOfStation = ofStations.includes(id) || id === 'runSharedView';
            const isThere = !isOfStation || place === 'in scope' || place === 'out of scope';
            expect([id, place, method, status]).toEqual([id, place, method, isThere ? 200 : 404]);
          }
        }
      }
    });

    it.each(writes)('may %s where the rule says so', async (id) => {
      const allowed = places.filter((each) => isAllowed(id, role, width, each));
      for (const place of allowed) {
        for (const credential of triedOf(role, width)) {
          if (id === 'deleteView' || id === 'deleteSharedView') await restoreViews();
          await restore();
          const { status } = await call(id, place, credential);
          const isThere = id === 'createStation' || !place.endsWith('existing') || rules[id][1] !== 'station';
          expect([id, place, isThere ? [200, 201, 204].includes(status) : status === 404]).toEqual([
            id,
            place,
            true,
          ]);
        }
      }
      if (allowed.length === 0) return;
      await restoreViews();
      await restore();
    });
  });
});

describe('an answer that depends on who asks', () => {
  const keptFromOthers = /^(no-store|private, no-cache)$/;

  longOnly(it)('is kept from others by every cache between, whatever it says', async () => {
    const credentials = [{}, ...credentialsOf('reader', 'narrow'), ...credentialsOf('admin', 'full')];
    for (const id of ids.filter((each) => each !== 'openapi')) {
      for (const headers of credentials) {
        if (writes.includes(id)) {
          await restoreViews();
          await restore();
        }
        for (const place of places) {
          const { status, headers: answered } = await call(id, place, headers);
          expect([id, status, answered['cache-control']]).toEqual([
            id,
            status,
            expect.stringMatching(keptFromOthers),
          ]);
        }
      }
    }
  });

  it('is kept from others also when it is only that nothing has changed', async () => {
    const credential = bearer(tokens.get('admin full')!);
    const conditional: OperationId[] = [];
    for (const id of reads) {
      const { etag } = (await call(id, 'in scope', credential)).headers;
      if (etag === undefined) continue;
      conditional.push(id);
      const again = await call(id, 'in scope', { ...credential, 'If-None-Match': etag });
      expect([id, again.status, again.headers['cache-control']]).toEqual([id, 304, 'private, no-cache']);
    }
    expect(conditional).toContain('listResources');
  });
});

describe('the list of views', () => {
  it.each(peopleRoles)('shows a %s only those of stations in scope, and counts no others', async (role) => {
    const seen = async (width: Width) => {
      const { body } = await call('listViews', 'in scope', bearer(tokens.get(`${role} ${width}`)!));
      const { views, page } = JSON.parse(body) as { views: { name: string }[]; page: { total: number } };
      return [views.map(({ name }) => name), page.total];
    };
    const visible = (...names: Place[]) => ['mine', ...names.toSorted()];
    expect(await seen('narrow')).toEqual([visible('in scope', 'in scope, not existing'), 3]);
    expect(await seen('full')).toEqual([visible(...places), 5]);
  });
});

describe('a denial', () => {
  it('tells nothing of a station, on every route of one or of its views, but for the id of the request', async () => {
    for (const id of [...ofStations, ...ofSharedViews]) {
      const headers = bearer(tokens.get('admin narrow')!);
      const [there, missing] = [
        await call(id, 'out of scope', headers),
        await call(id, 'out of scope, not existing', headers),
      ];
      expect(there.status).toBe(403);
      expect(comparable(there)).toBe(comparable(missing));
    }
  });
});

function isAllowed(id: OperationId, role: Role, width: Width, place: Place): boolean {
  const rule = rules[id];
  if (rule === 'open') return true;
  const [needed, over] = rule;
  if (role !== needed && !alsoMay[role].includes(needed)) return false;
  if (width === 'full' || over === 'own') return true;
  return over !== 'everything' && place.startsWith('in scope');
}

/** The same principal as a header, and as the session of a page of this server. */
function credentialsOf(role: Role, width: Width): Record<string, string>[] {
  const token = tokens.get(`${role} ${width}`)!;
  return [bearer(token), { Cookie: `roster_session=${token}`, 'Sec-Fetch-Site': 'same-origin' }];
}

/** The short run leaves out sessions of a full scope, and the long run has these alone. */
function triedOf(role: Role, width: Width): Record<string, string>[] {
  const credentials = credentialsOf(role, width);
  return width === 'full' ? scale(credentials.slice(0, 1), credentials.slice(1)) : credentials;
}

function call(
  id: OperationId,
  place: Place,
  headers: Record<string, string>,
  method: string = operations[id].method,
): Promise<Answered> {
  return ask(server.url, { method, path: pathOf(id, place), headers, ...bodyOf(id) });
}

function pathOf(id: OperationId, place: Place): string {
  const [subscription, station] = stations[place].split(' ');
  const values: Record<string, string> = {
    subscription_name: subscription!,
    resource_group_name: 'g',
    zone: 'z',
    telemetry_station_name: station!,
    resource_id: 'r1',
    type_key: id === 'deleteType' ? 'resource_type.compute.unused' : typeKey,
    token_id: victimId,
    view_name: id.endsWith('SharedView') ? place : 'mine',
    source_name: 'src',
  };
  return operations[id].path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
}

let written = 0;

function bodyOf(id: OperationId): { body?: unknown } {
  switch (id) {
    case 'writeResources':
      return { body: [record('r1', { sku: String(written++) })] };
    case 'patchResources':
      return { body: [{ resource_id: 'r1', sku: String(written++) }] };
    case 'receiveAlerts':
      return { body: { alerts: [] } };
    case 'putType':
      return { body: { labels: { en: 'Machine' } } };
    case 'putView':
    case 'putSharedView':
      return { body: { station: stationOf('in scope'), query: `text=${written++}` } };
    case 'createToken':
      return { body: { name: 'made', role: 'reader', scopes: ['acme/g/z/there'] } };
    case 'createSession':
      return { body: { token: server.firstToken } };
    default:
      return {};
  }
}

/** All that a client sees of an answer, but for what differs between any two. */
function comparable({ status, headers: { date, ...headers }, body }: Answered): string {
  return JSON.stringify({ status, headers, body }).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '(id)');
}

async function makeToken(role: Role, scope: string): Promise<string> {
  const headers = bearer(server.firstToken!);
  const body = { name: `${role} of ${scope}`, role, scopes: [scope] };
  const { body: text } = await ask(server.url, { method: 'POST', path: '/roster/v1/tokens', headers, body });
  return JSON.parse(text).token;
}

/** What there is at the beginning of each case. */
async function restore(): Promise<void> {
  const headers = bearer(server.firstToken!);
  const send = async (id: OperationId, place: Place, body?: unknown) => {
    const asked = { method: operations[id].method, path: pathOf(id, place), headers };
    return ask(server.url, body === undefined ? asked : { ...asked, body });
  };
  for (const place of places) {
    if (place.endsWith('existing')) await send('deleteStation', place);
    else {
      await send('createStation', place);
      await send('writeResources', place, [record('r1')]);
    }
  }
  await ask(server.url, {
    method: 'PUT',
    path: '/roster/v1/resource-types/resource_type.compute.unused',
    headers,
    body: {},
  });
  const victim = { name: 'victim', role: 'reader', scopes: ['acme/g/z/there'] };
  victimId = JSON.parse((await send('createToken', 'in scope', victim)).body).id;
}

const stationOf = (place: Place) => pathOf('getStation', place).replace('/roster/v1/', '');

/** A view of every token, and a shared one of every station. Leaves stations that should not exist. */
async function restoreViews(): Promise<void> {
  const save = async (token: string, path: string, station: string) => {
    const body = { station, query: '' };
    const { status } = await ask(server.url, { method: 'PUT', path, headers: bearer(token), body });
    expect([200, 201]).toContain(status);
  };
  const admin = server.firstToken!;
  for (const place of places) {
    const path = pathOf('createStation', place);
    await ask(server.url, { method: 'PUT', path, headers: bearer(admin) });
    await save(admin, pathOf('putSharedView', place), stationOf(place));
  }
  // Those that may read also keep views.
  for (const token of readingTokens())
    await save(token, pathOf('putView', 'in scope'), stationOf('in scope'));
}

function readingTokens(): string[] {
  return [...tokens].filter(([name]) => !name.startsWith('source ')).map(([, token]) => token);
}

/** Everything that a write could have changed. */
async function worldAsItIs(): Promise<unknown> {
  const headers = bearer(server.firstToken!);
  const read = async (path: string) => JSON.parse((await ask(server.url, { path, headers })).body);
  const { tokens: all } = await read('/roster/v1/tokens');
  return {
    stations: await read('/roster/v1/stations'),
    types: await read('/roster/v1/resource-types'),
    tokens: all.map(({ id }: { id: string }) => id),
    views: await read('/roster/v1/views'),
  };
}
