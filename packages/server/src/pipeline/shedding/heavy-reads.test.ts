import http from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { anonymousAdmin, type Principal } from '../../http/principal.ts';
import { createExchange } from '../../testing/create-exchange.ts';
import { listenLocally } from '../../testing/listen-locally.ts';
import { OpenExchanges } from '../open-exchanges.ts';
import { HeavyReads } from './heavy-reads.ts';

const principal = (id: string): Principal => ({ ...anonymousAdmin, kind: 'token', id });

interface Asked {
  readonly response: http.ServerResponse;
  /** The exchange as it is of this principal. */
  of(principal: Principal): Exchange;
  /** Goes away without waiting for the answer. */
  leave(): Promise<void>;
}

/** Asks a server that leaves it to the test to answer. */
async function ask(localAddress = '127.0.0.1'): Promise<Asked> {
  const { promise, resolve } = Promise.withResolvers<http.ServerResponse>();
  const port = await listenLocally(http.createServer((_, response) => resolve(response)));
  const request = http.get({ port, host: '127.0.0.1', localAddress });
  request.on('error', () => undefined);
  const response = await promise;
  const closed = new Promise<void>((done) => response.once('close', done));
  return {
    response,
    of: (principal) => createExchange(response.req, response, principal),
    leave: () => {
      request.destroy();
      return closed;
    },
  };
}

it('lets each principal have 50 reads under way, and refuses more', async () => {
  const reads = new HeavyReads();
  const asked = await ask();
  const { response } = asked;
  response.setMaxListeners(100);
  for (let count = 0; count < 50; count++) reads.begin(asked.of(principal('a')));
  const refused = expect.objectContaining({ code: 'overloaded', retryAfterSeconds: expect.any(Number) });
  expect(() => reads.begin(asked.of(principal('a')))).toThrow(refused);
  expect(reads).toMatchObject({ openCount: 50, refusedCount: 1 });
  reads.begin(asked.of(principal('b')));
  reads.follow(asked.of(principal('a')));
  response.end('done');
  await expect.poll(() => reads.openCount).toBe(0);
  const next = await ask();
  reads.begin(next.of(principal('a')));
  expect(reads.openCount).toBe(1);
});

it.runIf(process.platform === 'linux')('counts callers who do not sign in by address', async () => {
  const reads = new HeavyReads();
  const one = await ask('127.0.0.2');
  const other = await ask('127.0.0.3');
  one.response.setMaxListeners(100);
  for (let count = 0; count < 50; count++) reads.begin(one.of(anonymousAdmin));
  expect(() => reads.begin(one.of(anonymousAdmin))).toThrow();
  reads.begin(other.of(anonymousAdmin));
});

it('asks two questions of a principal at a time, the oldest first, and lets others in between', async () => {
  const reads = new HeavyReads();
  const exchange = await ask();
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const question = (name: string) => () => {
    asked.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const [first, second, third] = ['a', 'a', 'a'].map((id) => reads.begin(exchange.of(principal(id))));
  void third!.ask(question('third'));
  void third!.ask(question('third'));
  void second!.ask(question('second'));
  void first!.ask(question('first'));
  void reads.begin(exchange.of(principal('b'))).ask(question('of another'));
  expect(asked).toEqual(['third', 'third', 'of another']);
  expect(reads.waitingCount).toBe(2);
  for (let count = 0; count < 2; count++) {
    ends.shift()!();
    await nextTurn();
    await nextTurn();
  }
  expect(asked.slice(3)).toEqual(['first', 'second']);
});

it('forgets what a client has asked for that leaves', async () => {
  const reads = new HeavyReads();
  const stays = await ask();
  const leaves = await ask();
  const read = reads.begin(stays.of(principal('a')));
  const never = () => new Promise<void>(() => undefined);
  void read.ask(never);
  void read.ask(never);
  const forgotten = reads.begin(leaves.of(principal('a'))).ask(never);
  const failed = expect(forgotten).rejects.toThrow('the client left');
  expect(reads).toMatchObject({ openCount: 2, waitingCount: 1 });
  await leaves.leave();
  await failed;
  expect(reads).toMatchObject({ openCount: 1, waitingCount: 0 });
});

it('begins nothing for a client that has left', async () => {
  const reads = new HeavyReads();
  const asked = await ask();
  const exchange = asked.of(principal('a'));
  const open = new OpenExchanges();
  open.add(exchange);
  await asked.leave();
  open.remove(exchange);
  expect(() => reads.begin(exchange)).toThrow('the client left');
  expect(reads.openCount).toBe(0);
});
