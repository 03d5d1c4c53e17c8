import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import type { Answer } from '../testing/answer-reader.ts';
import { expectProblem } from '../testing/check-answer.ts';
import { type GuardedServer, startGuardedServer } from '../testing/guarded-server.ts';
import { type Format, listPath, mediaTypes, numbered, Station, writePath } from '../testing/station.ts';

const megabyte = 1024 * 1024;
const allowedGrowthMb = 100;
/** What a small body may have, so that all of it is kept until its end. */
const mostOfASmallBody = 256 * 1024;

/** An attack comes over so many times as many connections as it would by default. */
const times = Number(process.env.ROSTER_ATTACK_TIMES ?? 1);
const formats = scale(['ndjson'], ['ndjson', 'json', 'csv', 'yaml']);

interface Target {
  readonly method?: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

const inChunks = (body: Buffer) =>
  Buffer.from(Array.from(body, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join(''), 'latin1');

function headOf(server: GuardedServer, { method = 'POST', path, headers }: Target): string {
  const lines = {
    Host: 'localhost',
    Authorization: `Bearer ${server.adminToken}`,
    'Transfer-Encoding': 'chunked',
    ...headers,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${text.join('')}\r\n`;
}

/** Sends a body over each of so many connections at once. */
async function sendOnMany(
  server: GuardedServer,
  target: Target,
  { connections, body }: { connections: number; body: Buffer },
): Promise<Answer[]> {
  const sent = Array.from({ length: connections * times }, async () => {
    const connection = await server.connect();
    connection.send(headOf(server, target));
    await connection.sendPatiently(body);
    connection.send('0\r\n\r\n');
    const answer = await connection.answer(target.method ?? 'POST', 60_000);
    connection.destroy();
    return answer;
  });
  return Promise.all(sent);
}

/** How far the memory of the server grows while something goes on, in MiB. */
async function growthMb({ process }: GuardedServer, attack: () => Promise<unknown>): Promise<number> {
  const before = process.residentMb();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.residentMb());
  }, 20);
  try {
    await attack();
  } finally {
    clearInterval(look);
  }
  return Math.max(most, process.residentMb()) - before;
}

const json = { 'Content-Type': 'application/json' };

longOnly(it)('takes small bodies in one-byte chunks without growing', async () => {
  const server = await startGuardedServer();
  const bodyOf = (size: number) => inChunks(Buffer.from(`{"token":"${'x'.repeat(size - 12)}"}`));
  const attacks: readonly (readonly [target: Target, connections: number, body: Buffer])[] = [
    [{ path: '/roster/v1/session', headers: json }, scale(2, 10), bodyOf(mostOfASmallBody)],
    [{ path: '/roster/v1/tokens', headers: json }, scale(1, 3), bodyOf(mostOfASmallBody / 4)],
    [
      { method: 'PUT', path: '/roster/v1/resource-types/resource_type.a.b', headers: json },
      scale(1, 3),
      bodyOf(mostOfASmallBody / 4),
    ],
  ];
  for (const [target, connections, body] of attacks) {
    const grown = await growthMb(server, async () => {
      for (const answer of await sendOnMany(server, target, { connections, body })) {
        expectProblem(answer, 400, 'invalid_body');
      }
    });
    expect(grown, target.path).toBeLessThan(allowedGrowthMb);
  }
});

const line = '{"resource_id":"a","name":"a","resource_type":"resource_type.a.b"}';
const bodies: Readonly<Record<Format, string>> = {
  ndjson: `${line}\n`.repeat(400),
  json: `[${Array(400).fill(line).join()}]`,
  csv: `resource_id,name,resource_type\n${'a,a,resource_type.a.b\n'.repeat(1_200)}`,
  yaml: '- {resource_id: a, name: a, resource_type: resource_type.a.b}\n'.repeat(400),
};

it(`takes imports as ${formats.join(', ')} in one-byte chunks without growing, compressed or not`, async () => {
  const server = await startGuardedServer();
  const { path } = await Station.create(server);
  for (const format of formats as Format[]) {
    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'Content-Type': mediaTypes[format], 'Content-Encoding': encoding };
      const bytes = Buffer.from(bodies[format]);
      const body = inChunks(encoding === 'gzip' ? gzipSync(bytes, { level: 0 }) : bytes);
      const grown = await growthMb(server, async () => {
        for (const answer of await sendOnMany(
          server,
          { path: writePath(path), headers },
          { connections: scale(2, 4), body },
        )) {
          expectProblem(answer, 422, 'invalid_records');
        }
      });
      expect(grown, `${format}, ${encoding}`).toBeLessThan(allowedGrowthMb);
    }
  }
});

longOnly(it)('holds little of one-byte chunks that it does not read yet', async () => {
  const server = await startGuardedServer();
  const station = await Station.create(server);
  // More than the system takes of an answer that nobody reads. All answers together fit into the allowed growth.
  expect((await station.write(numbered(7_000, 'vm', { sku: 'x'.repeat(500) }))).status).toBe(200);
  await station.list();
  const unread = headOf(server, { method: 'GET', path: listPath(station.path), headers: {} }).replace(
    /Transfer.*\r\n/,
    '',
  );
  const post = headOf(server, { path: '/roster/v1/session', headers: json });
  const chunks = inChunks(Buffer.alloc(70_000, ' '));
  const grown = await growthMb(server, async () => {
    const connections = await Promise.all(Array.from({ length: 8 * times }, () => server.connect()));
    for (const connection of connections) {
      connection.pause();
      connection.send(unread + post);
      connection.send(chunks);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (const connection of connections) {
      connection.send('0\r\n\r\n');
      connection.resume();
    }
    for (const connection of connections) {
      expect((await connection.answer('GET', 60_000)).status).toBe(200);
      expectProblem(await connection.answer('POST', 60_000), 400, 'invalid_body');
    }
  });
  expect(grown).toBeLessThan(allowedGrowthMb);
});

shortOnly(it)('keeps nothing of the extensions of chunks, and refuses long ones', async () => {
  const server = await startGuardedServer();
  const head = headOf(server, { path: '/roster/v1/session', headers: json });
  const chunkWith = (extensionBytes: number) => `1;${'x'.repeat(extensionBytes)}\r\n \r\n`;
  const [many, long] = [await server.connect(), await server.connect()];
  const grown = await growthMb(server, async () => {
    many.send(head);
    const chunks = chunkWith(1_000).repeat(1_000);
    for (let sent = 0; sent < 100; sent++) await many.sendPatiently(chunks);
    many.send('0\r\n\r\n');
    expectProblem(await many.answer('POST'), 400, 'invalid_body');
  });
  expect(grown).toBeLessThan(allowedGrowthMb);
  long.send(head + chunkWith(20_000));
  expectProblem(await long.answer('POST'), 400, 'malformed_request');
  await long.end();
});

longOnly(it)('does not read a refused body for ever, and its client hears of the refusal', async () => {
  const server = await startGuardedServer();
  const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
  for (const [target, status] of [
    [{ path: '/roster/v1/session', headers: json }, 413],
    [{ path: '/roster/v1/tokens', headers: { ...json, Authorization: 'Bearer wrong' } }, 401],
  ] as const) {
    const connection = await server.connect();
    connection.send(headOf(server, target));
    let sentBytes = 0;
    while (sentBytes < 4096 * megabyte && (await connection.sendPatiently(chunk))) sentBytes += chunk.length;
    expect((await connection.answer('POST')).status).toBe(status);
    await connection.end();
  }
});
