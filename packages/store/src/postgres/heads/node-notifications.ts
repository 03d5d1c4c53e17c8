import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Client, type ClientBase, type ClientConfig } from 'pg';
import { randomGeneration } from '../../shared/random-identifiers.ts';

const channel = 'roster_heads';
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

export interface NodeNotificationsParts {
  readonly config: ClientConfig;
  admit(client: ClientBase): Promise<void>;
  /** Another node has moved the station with this id. */
  onNotified(stationId: number): void;
  /** Notifications may have been missed. */
  onGap(): void;
}

/**
 * Nodes notify each other of stations they have moved, after the commit and on a separate connection: a
 * NOTIFY inside the transaction would serialise all commits of the database. A lost notification only delays catching
 * up until someone reads.
 */
export class NodeNotifications {
  readonly #parts: NodeNotificationsParts;
  readonly #node = randomGeneration();
  readonly #pending = new Set<number>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #client: Client | undefined;
  #isSending = false;

  constructor(parts: NodeNotificationsParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  send(stationId: number): void {
    this.#pending.add(stationId);
    if (!this.#isSending) void this.#sendAll();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let pauseMs = shortestPauseMs; !signal.aborted; ) {
      const hasListened = await this.#listen().catch(() => false);
      pauseMs = hasListened ? shortestPauseMs : Math.min(2 * pauseMs, longestPauseMs);
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended. */
  async #listen(): Promise<boolean> {
    const client = new pg.Client(this.#parts.config);
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    try {
      await client.connect();
      await this.#parts.admit(client);
      await client.query(`LISTEN ${channel}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closing.signal.aborted) await client.end();
    this.#client = client;
    this.#parts.onGap();
    await ended;
    this.#client = undefined;
    return true;
  }

  #receive(payload: string): void {
    const [node, stationId] = payload.split(' ');
    if (node !== this.#node) this.#parts.onNotified(Number(stationId));
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#pending.size > 0) {
      const payloads = Array.from(this.#pending, (stationId) => `${this.#node} ${stationId}`);
      this.#pending.clear();
      await this.#client?.query(notifySql, [payloads]).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

const notifySql = `SELECT pg_notify('${channel}', payload) FROM unnest($1::text[]) AS payload`;
