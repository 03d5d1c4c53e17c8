import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { seed } from '../../testing/seed.ts';
import { SeededRandom } from '../../testing/seeded-random.ts';
import { AnswerReader } from '../testing/answer-reader.ts';
import { tlsEnvironment, withOpenssl } from '../testing/certificate.ts';
import { spawnServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, stationPath, writePath } from '../testing/station.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { makeRequest, type TellingRequest } from './testing/request-stream.ts';
import { SegmentedConnection } from './testing/segmented-connection.ts';

const requestCount = Number(process.env.ROSTER_ATTACK_REQUESTS ?? scale(700, 20_000));
const connectionCount = 16;
const station = stationPath('station');

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const removalOf = (id: string) => `DELETE ${writePath(station)}/${id}`;

/** A data directory with a station of these resources, and no server. */
async function prepareData(ids: readonly string[], padding: number): Promise<string> {
  const server = await startServer();
  const prepared = await Station.create(server);
  await prepared.write(numbered(1_000, 'vm', { sku: 'x'.repeat(padding) }));
  await prepared.write(ids.map((id) => ({ ...numbered(1, id)[0]!, resource_id: id })));
  await server.process.stop();
  return server.data;
}

async function idsIn(data: string): Promise<string[]> {
  const server = await startServer({ data });
  return (await new Station(server, station).list()).resources.map(({ resource_id }) => resource_id);
}

interface Target {
  readonly address: URL;
  readonly data: string;
  /** What the server says that it has written or refused to write. */
  auditedTargets(): string[];
  stop(): Promise<void>;
}

interface TargetOptions {
  readonly isTls: boolean;
  /** Resources that the station has besides a thousand others. */
  readonly ids?: readonly string[];
  /** What each of the others is larger than needed. */
  readonly padding: number;
}

async function startTarget({ isTls, ids = [], padding }: TargetOptions): Promise<Target> {
  const data = await prepareData(ids, padding);
  const auditFile = path.join(temporaryDirectory(), 'audit.jsonl');
  const environment = { ROSTER_AUDIT_FILE: auditFile, ...(isTls ? tlsEnvironment() : {}) };
  const { process } = spawnServer({ data, environment });
  return {
    address: await process.address(),
    data,
    auditedTargets: () =>
      readFileSync(auditFile, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { target?: string; operation: string })
        .flatMap(({ target }) => target ?? []),
    stop: async () => void (await process.stop()),
  };
}

async function connect(address: URL): Promise<SegmentedConnection> {
  const connection = await SegmentedConnection.open(address);
  onTestFinished(() => connection.destroy());
  return connection;
}

/** So many that they do not fit into the buffers of the kernel. */
const lists = 8;

/** One connection that pipelines large lists, reads nothing, and then cuts its requests in odd places. */
async function removeAcrossRecords(isTls: boolean): Promise<string[]> {
  const ids = ['aa', 'bb', 'cc', 'dd', 'aabb', 'aadd', 'ccdd', 'ccbb'];
  const target = await startTarget({ isTls, ids, padding: 1_000 });
  const connection = await connect(target.address);
  connection.socket.pause();
  await connection.record(get(listPath(station, '?page.size=1000')).repeat(lists));
  await connection.flush();
  await delay(1_000);
  await connection.record(`${get('/healthz')}${removalOf('aa')}`);
  await connection.record(`bb HTTP/1.1\r\nHost: localhost\r\n\r\n${removalOf('cc')}`);
  await connection.flush();
  await delay(100);
  await connection.record('dd HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await connection.flush();
  const reader = new AnswerReader();
  connection.socket.on('data', (chunk: Buffer) => reader.push(chunk));
  connection.socket.resume();
  const answered: number[] = [];
  while (answered.length < lists + 3) {
    const answer = reader.take('GET');
    if (answer) answered.push(answer.status);
    else await once(connection.socket, 'data');
  }
  expect(new Set(answered)).toEqual(new Set([200]));
  await target.stop();
  const left = new Set(await idsIn(target.data));
  return ids.filter((id) => !left.has(id));
}

longOnly(withOpenssl)(
  'executes over TLS what was sent, however its records are cut (needs openssl)',
  async () => {
    expect(await removeAcrossRecords(true)).toEqual(['aabb', 'ccdd']);
  },
);

longOnly(it)('executes over TCP what was sent, however its segments are cut', async () => {
  expect(await removeAcrossRecords(false)).toEqual(['aabb', 'ccdd']);
});

/** Sends a pipeline in odd pieces, reads in odd moments, and checks each answer. */
async function runLane(target: Target, random: SeededRandom, requests: readonly TellingRequest[]) {
  const connection = await connect(target.address);
  const { socket } = connection;
  const reader = new AnswerReader();
  let answered = 0;
  socket.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    while (answered < requests.length) {
      const { method, text, fits } = requests[answered]!;
      const answer = reader.take(method);
      if (answer === undefined) break;
      if (!fits(answer)) throw new Error(`${answer.status} ${answer.body} is no answer to ${text}`);
      answered++;
    }
  });
  const reading = readInOddMoments(connection, random, () => answered === requests.length);
  for (let at = 0; at < requests.length; ) {
    const pipeline = requests.slice(at, at + 1 + random.below(200));
    at += pipeline.length;
    await sendInPieces(connection, random, pipeline.map(({ text }) => text).join(''));
    // A client that never waits would soon be held up by the server anyway.
    if (random.next() < 0.5) while (answered < at && !socket.destroyed) await delay(1);
  }
  await reading;
  connection.destroy();
  expect(answered).toBe(requests.length);
}

async function readInOddMoments(
  { socket }: SegmentedConnection,
  random: SeededRandom,
  isDone: () => boolean,
): Promise<void> {
  while (!isDone() && !socket.destroyed) {
    if (random.next() < 0.5) socket.pause();
    await delay(random.below(8));
    socket.resume();
    await delay(random.below(8));
  }
}

async function sendInPieces(
  connection: SegmentedConnection,
  random: SeededRandom,
  text: string,
): Promise<void> {
  const longest = random.pick([20, 300, 5_000, 60_000]);
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + 1 + random.below(longest));
    at += piece.length;
    await connection.record(piece);
    if (random.next() < 0.3) await connection.flush();
  }
  await connection.flush();
}

async function fuzz(isTls: boolean): Promise<void> {
  const target = await startTarget({ isTls, padding: 200 });
  const lanes = Array.from({ length: connectionCount }, (_, lane) => {
    const random = new SeededRandom(seed + lane);
    const count = Math.ceil(requestCount / connectionCount);
    const requests = Array.from({ length: count }, (_unused, at) =>
      makeRequest(random, station, 1_000_000 + lane * count + at),
    );
    return { random, requests };
  });
  await Promise.all(lanes.map(({ random, requests }) => runLane(target, random, requests)));
  const sent = lanes.flatMap(({ requests }) => requests.flatMap((request) => request.target ?? []));
  await target.stop();
  const isRemoval = (id: string) => id.startsWith('removed-');
  expect(target.auditedTargets().toSorted()).toEqual(sent.filter(isRemoval).toSorted());
  const created = (await idsIn(target.data)).filter((id) => id.startsWith('created-'));
  expect(created.toSorted()).toEqual(sent.filter((id) => !isRemoval(id)).toSorted());
}

it(`executes ${requestCount} requests over TCP as they were sent, seed ${seed}`, () => fuzz(false));

longOnly(withOpenssl)(
  `executes ${requestCount} requests over TLS as they were sent, seed ${seed} (needs openssl)`,
  () => fuzz(true),
);
