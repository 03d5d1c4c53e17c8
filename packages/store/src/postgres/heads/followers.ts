import { setTimeout as sleep } from 'node:timers/promises';
import type { StationAddress } from '@roster/contract';
import pg, { type Client, type ClientBase, type ClientConfig } from 'pg';
import { randomGeneration } from '../../shared/random-identifiers.ts';
import type { Announcements } from './announcements.ts';
import type { HeadQuestions } from './head-questions.ts';
import type { KnownStations } from './known-stations.ts';

/** Stations read within this time are followed. */
const followMs = 60_000;
/** How long a lost hint can go unnoticed. */
const pollEveryMs = 5_000;

export interface FollowersParts {
  readonly config: ClientConfig;
  readonly known: KnownStations;
  readonly questions: HeadQuestions;
  readonly announcements: Announcements;
  admit(client: ClientBase): Promise<void>;
}

/**
 * Catches up with writes of other nodes before anyone reads: on hints, and by polling the stations read here.
 * Reads do not rely on it.
 */
export class Followers {
  readonly #parts: FollowersParts;
  readonly #hints: Hints;
  readonly #timer: NodeJS.Timeout;

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    const { config, known } = parts;
    this.#hints = new Hints({
      config,
      admit: (client) => parts.admit(client),
      onHint: (stationId) => {
        const station = known.byId(stationId);
        if (station) void this.#follow(station.address);
      },
      onGap: () => this.#poll(),
    });
    this.#timer = setInterval(() => this.#poll(), pollEveryMs);
    this.#timer.unref();
  }

  hint(stationId: number): void {
    this.#hints.send(stationId);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#hints.close();
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
}

const channel = 'roster_heads';
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

export interface HintsParts {
  readonly config: ClientConfig;
  admit(client: ClientBase): Promise<void>;
  /** Another node has moved the station with this id. */
  onHint(stationId: number): void;
  /** Hints may have been missed. */
  onGap(): void;
}

/**
 * Nodes notify each other of stations they have moved, after the commit and on a separate connection: a
 * NOTIFY inside the transaction would serialise all commits of the database. A lost hint only delays catching
 * up until someone reads.
 */
export class Hints {
  readonly #parts: HintsParts;
  readonly #node = randomGeneration();
  readonly #pending = new Set<number>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #client: Client | undefined;
  #isSending = false;

  constructor(parts: HintsParts) {
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
    if (node !== this.#node) this.#parts.onHint(Number(stationId));
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#pending.size > 0) {
      const hints = Array.from(this.#pending, (stationId) => `${this.#node} ${stationId}`);
      this.#pending.clear();
      await this.#client?.query(notifySql, [hints]).catch(() => undefined);
    }
    this.#isSending = false;
  }
}

const notifySql = `SELECT pg_notify('${channel}', hint) FROM unnest($1::text[]) AS hint`;
