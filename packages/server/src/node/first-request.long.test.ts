import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';

const program = new URL('./testing/collecting-server.ts', import.meta.url);
const requests = 20_000;
const atOnce = 50;
const endOfAnswer = '#'.charCodeAt(0);

/** The processor time of a request, in µs, if all garbage was collected after so many requests. */
async function costAfter(collectAfter: number): Promise<number> {
  const child = fork(program, [String(collectAfter)], { execArgv: ['--expose-gc'] });
  const usedMicros = async () => {
    child.send('usage');
    return (await once(child, 'message'))[0] as number;
  };
  try {
    const [port] = (await once(child, 'message')) as [number];
    // A connection that stays open would keep its last request alive.
    for (let sent = 0; sent < collectAfter; sent++) {
      const probe = connect(port, '127.0.0.1');
      await ask(probe, 1);
      probe.destroy();
    }
    await sleep(200);
    const socket = connect(port, '127.0.0.1');
    const before = await usedMicros();
    for (let sent = 0; sent < requests; sent += atOnce) await ask(socket, atOnce);
    const after = await usedMicros();
    socket.destroy();
    return (after - before) / requests;
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

async function ask(socket: Socket, count: number): Promise<void> {
  socket.write('GET / HTTP/1.1\r\nHost: roster\r\n\r\n'.repeat(count));
  let answers = 0;
  while (answers < count) {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    for (const byte of piece) if (byte === endOfAnswer) answers++;
  }
}

it('requests stay fast when the garbage of the first six is collected', async () => {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round++) ratios.push((await costAfter(6)) / (await costAfter(3)));
  expect(ratios.sort((a, b) => a - b)[1]).toBeLessThan(1.2);
});
