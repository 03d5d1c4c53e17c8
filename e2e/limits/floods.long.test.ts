import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { expectProblem } from '../testing/check-answer.ts';
import type { RawConnection } from '../testing/raw-connection.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, writePath } from '../testing/station.ts';

/** Lists and writes of a well-behaved client, for as long as the abuse lasts; returns how long each took. */
async function useNormally(station: Station, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  for (let round = 0; !isOver(); round++) {
    const start = performance.now();
    expect((await station.list('?page.size=20')).resources).toHaveLength(20);
    expect((await station.write(numbered(1, `during-${round % 10}`))).status).toBe(200);
    waits.push(performance.now() - start);
    await delay(50);
  }
  return waits;
}

/** Runs the abuse while a well-behaved client goes on, and sees to it that this one hardly notices. */
async function whileInUse(station: Station, abuse: () => Promise<void>): Promise<void> {
  let isOver = false;
  const waits = useNormally(station, () => isOver);
  await Promise.all([waits, abuse().finally(() => (isOver = true))]);
  const sorted = (await waits).sort((a, b) => a - b);
  expect(sorted.length).toBeGreaterThan(5);
  expect(sorted[sorted.length >> 1]).toBeLessThan(1_000);
}

function connections(server: RunningServer, count: number): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => server.connect()));
}

/** Sends a little on each connection, again and again, until the server has ended all of them. */
async function trickle(open: readonly RawConnection[], bytes: string): Promise<void> {
  while (open.some((connection) => !connection.hasEnded)) {
    for (const connection of open) if (!connection.hasEnded) connection.send(bytes);
    await delay(1_000);
  }
}

it('goes on while 500 connections send their requests as slowly as they can, and ends those', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(100));
  const before = server.process.openFiles();
  await whileInUse(station, async () => {
    const heads = await connections(server, 250);
    const bodies = await connections(server, 250);
    for (const head of heads) head.send(`GET ${listPath(station.path)} HTTP/1.1\r\nHost: localhost\r\n`);
    for (const body of bodies) {
      body.send(
        `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n` +
          'Content-Length: 1000000\r\n\r\n',
      );
    }
    const [silentHead, ...slowHeads] = heads;
    const [silentBody, ...slowBodies] = bodies;
    // Who sends more after the answer may lose it.
    const answered = Promise.all([silentHead!.answer('GET', 120_000), silentBody!.answer('POST', 120_000)]);
    await Promise.all([answered, trickle(slowHeads, 'X-Slow: 1\r\n'), trickle(slowBodies, '{')]);
    for (const answer of await answered) expectProblem(answer, 408, 'request_timeout');
  });
  await expect.poll(() => server.process.openFiles(), { timeout: 60_000 }).toBeLessThan(before + 20);
  expect(await station.total('&resource_display_name_prefix=vm')).toBe(100);
  expect(server.process.stderr).toBe('');
});

it('goes on while 2 000 connections storm in, idle or with garbage, and forgets them', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(100));
  const before = server.process.openFiles();
  await whileInUse(station, async () => {
    const storm = await connections(server, 2_000);
    await expect.poll(() => server.process.openFiles(), { timeout: 60_000 }).toBeGreaterThan(before + 1_000);
    for (const [index, connection] of storm.entries()) {
      if (index % 4 === 0) connection.send('\u0016\u0003\u0001 not HTTP at all\r\n\r\n');
      if (index % 4 === 1) connection.destroy();
    }
    await delay(3_000);
    for (const connection of storm) connection.destroy();
  });
  await expect.poll(() => server.process.openFiles(), { timeout: 60_000 }).toBeLessThan(before + 20);
  expect(server.process.stderr).toBe('');
});

it('closes connections beyond the limit, and takes new ones as soon as there is room', async () => {
  const server = await startServer({ environment: { ROSTER_LIMITS_CONNECTIONS: '100' } });
  const storm = await connections(server, 200);
  await expect.poll(() => storm.filter(({ hasEnded }) => hasEnded).length).toBeGreaterThanOrEqual(150);
  for (const connection of storm) connection.destroy();
  await expect.poll(async () => (await server.fetch('/healthz').catch(() => undefined))?.status).toBe(200);
});

it('answers a client that sends thousands of requests at once before it reads, and holds no answers for it', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(1_000));
  const before = server.process.residentMb();
  const requests = 3_000;
  const connection = await server.connect();
  connection.pause();
  connection.send(
    `GET ${listPath(station.path, '?page.size=1000')} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests),
  );
  await delay(2_000);
  // All answers together are over 700 MB.
  expect(server.process.residentMb() - before).toBeLessThan(100);
  expect(await station.total()).toBe(1_000);
  connection.resume();
  for (let answered = 0; answered < 10; answered++) expect((await connection.answer()).status).toBe(200);
});
