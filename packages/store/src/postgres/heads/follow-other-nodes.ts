import { setTimeout as sleep } from 'node:timers/promises';
import type { StationAddress } from '@roster/contract';
import pg, { type Client, type ClientBase, type ClientConfig } from 'pg';
import type { Announcements } from '../../shared/announcements.ts';
import { randomGeneration } from '../../shared/random-identifiers.ts';
import type { HeadQuestions } from './head-questions.ts';
import type { KnownStations } from './known-stations.ts';

/** Stations read within this time are followed. */
const followMs = 60_000;
/** How long a lost notification can go unnoticed. */
const pollEveryMs = 5_000;

const channel = 'roster_heads';
/** A hint need not be durable, and does not keep commits waiting for the disk. */
const notifySql = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify('${channel}', payload)
  FROM unnest($1::text[]) AS payload`;
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

export interface OtherNodesParts {
  readonly config: ClientConfig;
  readonly known: KnownStations;
  readonly questions: HeadQuestions;
  readonly announcements: Announcements;
  admit(client: ClientBase): Promise<void>;
}

/**
 * Catches up with writes of other nodes before anyone reads: on notifications, and by polling the stations read here.
 * Reads do not rely on it.
 *
 * Nodes notify each other after the commit and on a separate connection: a NOTIFY inside the transaction would
 * serialise all commits of the database. A lost notification only delays catching up until someone reads.
 */
export class OtherNodes {
  readonly #parts: OtherNodesParts;
  readonly #node = randomGeneration();
  readonly #toNotify = new Set<number>();
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #client: Client | undefined;
  #isNotifying = false;

  constructor(parts: OtherNodesParts) {
    this.#parts = parts;
    this.#listening = this.#keepListening();
    this.#timer = setInterval(() => this.#poll(), pollEveryMs).unref();
  }

  /** Tells other nodes that a station has moved. */
  notify(stationId: number): void {
    this.#toNotify.add(stationId);
    void this.#notifyAll();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#client?.end().catch(() => undefined);
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
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
    // Notifications may have been missed, and others could not be sent.
    this.#poll();
    void this.#notifyAll();
    await ended;
    this.#client = undefined;
    return true;
  }

  #receive(payload: string): void {
    const [node, stationId] = payload.split(' ');
    const station = node === this.#node ? undefined : this.#parts.known.byId(Number(stationId));
    if (station) void this.#follow(station.address);
  }

  #poll(): void {
    for (const address of this.#parts.known.askedSince(Date.now() - followMs)) void this.#follow(address);
  }

  async #follow(address: StationAddress): Promise<void> {
    const { questions, announcements } = this.#parts;
    try {
      const station = await questions.ask(address);
      await announcements.announceNews(address, station?.head);
    } catch {
      // A reader of the station asks again and waits for the answer.
    }
  }

  async #notifyAll(): Promise<void> {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    while (this.#toNotify.size > 0 && this.#client !== undefined) {
      const payloads = Array.from(this.#toNotify, (stationId) => `${this.#node} ${stationId}`);
      this.#toNotify.clear();
      await this.#client.query(notifySql, [payloads]).catch(() => undefined);
    }
    this.#isNotifying = false;
  }
}
