import { expect, it } from 'vitest';
import { longOnly, scale, shortOnly } from '../../testing/scale.ts';
import { expectProblem, toAnswer } from '../testing/check-answer.ts';
import type { RawConnection } from '../testing/raw-connection.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { numbered, Station, toNdjson, writePath } from '../testing/station.ts';
import { chunk } from '../testing/upload.ts';

const megabyte = 1024 * 1024;
/** What a process takes before it collects its garbage, on a slow day; a body that is held takes more. */
const allowedGrowthMb = 150;
const largeMb = scale(200, 300);
const largeBody = largeMb * megabyte;

function postHead(station: Station, framing: string, contentType = 'application/x-ndjson'): string {
  return `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${contentType}\r\n${framing}\r\n\r\n`;
}

/** Sends a piece over and over until it was sent `times`, or the server has ended the connection. */
async function sendRepeatedly(connection: RawConnection, piece: Buffer, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent++) if (!(await connection.sendPatiently(piece))) return;
}

async function startSmall(): Promise<{ server: RunningServer; station: Station }> {
  const server = await startServer({ environment: { ROSTER_MAX_BODY_MB: '1' } });
  const station = await Station.create(server);
  expect((await station.write(numbered(2_000, 'warm-up'))).status).toBe(200);
  return { server, station };
}

it('answers 413 to a body that announces to be too large', async () => {
  const { server, station } = await startSmall();
  const before = server.process.residentMb();
  const connection = await server.connect();
  const line = Buffer.from(toNdjson(numbered(5_000)));
  const times = Math.ceil(largeBody / line.length);
  connection.send(postHead(station, `Content-Length: ${line.length * times}`));
  await sendRepeatedly(connection, line, times);
  expectProblem(await connection.answer('POST'), 413, 'body_too_large');
  expect(server.process.residentMb() - before).toBeLessThan(allowedGrowthMb);
  expect(await station.total()).toBe(2_000);
});

longOnly(it)(
  'answers 413 to a body of unknown length that turns out too large, and holds none of it',
  async () => {
    const { server, station } = await startSmall();
    const before = server.process.residentMb();
    const connection = await server.connect();
    const part = chunk(Buffer.from(toNdjson(numbered(5_000))));
    connection.send(postHead(station, 'Transfer-Encoding: chunked'));
    await sendRepeatedly(connection, part, Math.ceil(largeBody / part.length));
    connection.send('0\r\n\r\n');
    expectProblem(await connection.answer('POST'), 413, 'body_too_large');
    expect(server.process.residentMb() - before).toBeLessThan(allowedGrowthMb);
    expect(await station.total()).toBe(2_000);
    expect((await station.write(numbered(10, 'later'))).status).toBe(200);
  },
);

longOnly(it)('does not grow with a body that it takes', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  expect((await station.write(numbered(5_000))).status).toBe(200);
  const before = server.process.residentMb();
  const connection = await server.connect();
  const part = Buffer.from(toNdjson(numbered(5_000)).replaceAll('\n', `${' '.repeat(1000)}\n`));
  const times = Math.ceil(largeBody / part.length);
  connection.send(postHead(station, `Content-Length: ${part.length * times}`));
  let most = before;
  for (let sent = 0; sent < times; sent++) {
    await connection.sendPatiently(part);
    most = Math.max(most, server.process.residentMb());
  }
  expect((await connection.answer('POST')).status).toBe(422);
  expect(most - before).toBeLessThan(allowedGrowthMb);
});

const brokenOff = [
  ['NDJSON of known length', 'Content-Length: 1000000', 'application/x-ndjson', ''],
  ['a chunked JSON array', 'Transfer-Encoding: chunked', 'application/json', '['],
  ['chunked NDJSON', 'Transfer-Encoding: chunked', 'application/x-ndjson', ''],
  ['a JSON array of known length', 'Content-Length: 1000000', 'application/json', '['],
] as const;

for (const [what, framing, contentType, start] of brokenOff.slice(0, scale(1, 4))) {
  it(`writes nothing of ${what} that a client breaks off, and leaves nothing behind`, async () => {
    const server = await startServer();
    const station = await Station.create(server);
    const lines = toNdjson(numbered(3_000));
    const body = Buffer.from(start + (start ? lines.trim().replaceAll('\n', ',') : lines));
    for (let round = 0; round < scale(6, 20); round++) {
      const connection = await server.connect();
      connection.send(postHead(station, framing, contentType));
      await connection.sendPatiently(framing.startsWith('Transfer') ? chunk(body) : body);
      if (round % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      connection.destroy();
    }
    expect(await station.total()).toBe(0);
    expect((await station.write(numbered(3_000))).status).toBe(200);
    expect(await station.total()).toBe(3_000);
    expect(server.process.stderr).toBe('');
    expect(await server.process.stop()).toEqual({ code: 0, signal: null });
  });
}

shortOnly(it)('refuses bodies that end too early for what they are', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  const post = async (contentType: string, body: string) =>
    toAnswer(
      await server.fetch(writePath(station.path), {
        method: 'POST',
        headers: { 'Content-Type': contentType },
        body,
      }),
    );
  const line = toNdjson(numbered(1)).trim();
  expectProblem(await post('application/json', `[${line}`), 400, 'invalid_body');
  expectProblem(await post('application/json', ''), 400, 'invalid_body');
  expectProblem(await post('application/json', `[${line}] ${line}`), 400, 'invalid_body');
  const problem = expectProblem(
    await post('application/x-ndjson', `${line}\n${line.slice(0, 30)}`),
    422,
    'invalid_records',
  );
  expect(problem).toMatchObject({ fault_count: 1, faults: [{ line: 2 }] });
  expect(await station.total()).toBe(0);
});

longOnly(it)(`refuses a single line of ${largeMb} MB by its number, without holding it`, async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(2_000, 'warm-up'));
  const before = server.process.residentMb();
  const line = toNdjson(numbered(1));
  const huge = `{"resource_id":"${'x'.repeat(largeBody)}"}\n`;
  for (const [contentType, body] of [
    ['application/x-ndjson', line + huge + line],
    ['application/json', `[${line},${huge}]`],
  ] as const) {
    const headers = { 'Content-Type': contentType };
    const response = await server.fetch(writePath(station.path), { method: 'POST', headers, body });
    const problem = expectProblem(await toAnswer(response), 422, 'invalid_records');
    expect(problem).toMatchObject({ faults: expect.arrayContaining([expect.objectContaining({ line: 2 })]) });
  }
  expect(server.process.residentMb() - before).toBeLessThan(allowedGrowthMb);
  expect(await station.total()).toBe(2_000);
});
