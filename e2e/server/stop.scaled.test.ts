import { expect, it } from 'vitest';
import { longOnly, scale } from '../../testing/scale.ts';
import { expectProblem } from '../testing/check-answer.ts';
import { type RunningServer, startServer } from '../testing/start-server.ts';
import { listPath, numbered, Station, toNdjson, writePath } from '../testing/station.ts';
import type { List } from '../testing/station-answers.ts';

/**
 * Waits until the server has taken that many requests: a connection that it has not taken yet is reset when it stops.
 */
const untilTaken = (server: RunningServer, count: number) =>
  expect
    .poll(async () => {
      const metrics = await (await server.fetch('/metrics')).text();
      return Number(/^roster_http_requests_in_progress (\d+)$/m.exec(metrics)?.[1]);
    })
    .toBe(count + 1);
const untilRefusing = (server: RunningServer) =>
  expect
    .poll(
      () =>
        server.fetch('/healthz').then(
          () => 'answers',
          () => 'refuses',
        ),
      { timeout: 5_000 },
    )
    .toBe('refuses');

/** So many that a list does not fit into the buffers of a connection. */
const size = scale(12_000, 30_000);
/** For a busy machine, which starts and ends processes late. */
const slackMs = 5_000;
const signals = scale(['SIGTERM'] as const, ['SIGTERM', 'SIGINT'] as const);

for (const signal of signals) {
  it(`stops at once on ${signal} when there is nothing to wait for`, async () => {
    const server = await startServer();
    const station = await Station.create(server);
    const idle = await server.connect();
    idle.send('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await idle.answer();
    await station.write(numbered(5));
    const start = performance.now();
    server.process.signal(signal);
    expect(await server.process.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(server.process.stderr).toBe('');
    const next = new Station(await startServer({ data: server.data }), station.path);
    expect(await next.total()).toBe(5);
  });

  longOnly(it)(
    `ends within 10 s of ${signal}, whatever clients do, and keeps what it acknowledged`,
    async () => {
      const server = await startServer();
      const station = await Station.create(server);
      const wide = { sku: 'x'.repeat(500) };
      expect((await station.write(numbered(size, 'listed', wide))).status).toBe(200);
      const [upload, quickUpload, reader, polite] = await Promise.all(
        Array.from({ length: 4 }, () => server.connect()),
      );
      const body = toNdjson(numbered(100, 'slow'));
      const head = `POST ${writePath(station.path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n`;
      upload!.send(head + body.slice(0, 500));
      quickUpload!.send(
        head.replace(/Length: \d+/, `Length: ${body.length}`) + body.slice(0, 500).replaceAll('slow', 'fine'),
      );
      for (const connection of [reader!, polite!]) {
        connection.pause();
        connection.send(`GET ${listPath(station.path)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      }
      await untilTaken(server, 4);

      const start = performance.now();
      server.process.signal(signal);
      server.process.signal(signal);
      await untilRefusing(server);
      quickUpload!.send(body.slice(500).replaceAll('slow', 'fine'));
      expect((await quickUpload!.answer('POST')).status).toBe(200);
      polite!.resume();
      const list = JSON.parse((await polite!.answer()).body.toString()) as List;
      expect(list.resources).toHaveLength(size);
      expectProblem(await upload!.answer('POST'), 503, 'shutting_down');

      expect(await server.process.exited).toEqual({ code: 0, signal: null });
      expect(performance.now() - start).toBeLessThan(10_000 + slackMs);
      expect(server.process.stderr).toBe('');
      const next = new Station(await startServer({ data: server.data }), station.path);
      expect(await next.total('&resource_display_name_prefix=fine')).toBe(100);
      expect(await next.total('&resource_display_name_prefix=slow')).toBe(0);
      expect(await next.total()).toBe(size + 100);
    },
  );
}

it('says 503 on a connection still at work while it stops', async () => {
  const server = await startServer();
  const station = await Station.create(server);
  await station.write(numbered(size, 'vm', { sku: 'x'.repeat(500) }));
  // In memory by then, so that the list begins before the server stops.
  expect(await station.total()).toBe(size);
  const reader = await server.connect();
  reader.pause();
  reader.send(`GET ${listPath(station.path)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await untilTaken(server, 1);
  server.process.signal('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  reader.send('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  reader.resume();
  expect((await reader.answer()).status).toBe(200);
  expectProblem(await reader.answer(), 503, 'shutting_down');
  expect(await server.process.exited).toEqual({ code: 0, signal: null });
});
