import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { SeededRandom } from '../../../testing/seeded-random.ts';
import type { RunningServer } from '../../testing/start-server.ts';
import { Station } from '../../testing/station.ts';
import { ChangeListener } from './change-listener.ts';
import { LinearHistory } from './linear-history.ts';
import { StationClients, type Writing } from './station-clients.ts';

/** What clients can send requests to: the nodes of a cluster, or what stands before them. */
export interface LoadTarget {
  readonly nodes: readonly { readonly server: RunningServer; readonly log: string }[];
}

export interface LoadOptions extends Writing {
  readonly random?: SeededRandom;
  readonly writers?: number;
  readonly readers?: number;
  readonly listeners?: number;
}

/** Clients at work on a station, each request on any node, with all that they were told. */
export class StationLoad {
  readonly history = new LinearHistory();
  readonly path: string;
  readonly listeners: readonly ChangeListener[];
  /** Fails as soon as a client meets what it never should. */
  readonly work: Promise<unknown>;
  /** Settles when the writers have done what they shall do each. */
  readonly written: Promise<unknown>;
  readonly #target: LoadTarget;
  readonly #working = new AbortController();
  readonly #listening = new AbortController();
  readonly #heard: Promise<unknown>;
  #hasFailed = false;

  private constructor(target: LoadTarget, since: { path: string; revision: string }, options: LoadOptions) {
    const { random = new SeededRandom(1), writers = 4, readers = 3, listeners = 3 } = options;
    this.#target = target;
    this.path = since.path;
    const chooseServer = () => random.pick(target.nodes).server;
    const parts = { history: this.history, path: this.path, random, chooseServer };
    const clients = new StationClients(parts, this.#working.signal);
    const repeat = <T>(count: number, begin: (at: number) => T) =>
      Array.from({ length: count }, (_, at) => begin(at));
    this.written = Promise.all(repeat(writers, (at) => clients.write(`w${at}`, options)));
    this.work = Promise.all([this.written, ...repeat(readers, () => clients.read())]);
    this.work.catch(() => {
      this.#hasFailed = true;
    });
    const chooseStayMs = () => 500 + random.below(5_000);
    this.listeners = repeat(listeners, () => new ChangeListener({ ...parts, chooseStayMs }, since.revision));
    this.#heard = Promise.all(this.listeners.map((listener) => listener.run(this.#listening.signal)));
    this.#heard.catch(() => undefined);
  }

  /** Begins on a new station. */
  static async start(target: LoadTarget, options: LoadOptions = {}): Promise<StationLoad> {
    const { server } = target.nodes[0]!;
    const station = await Station.create(server);
    const { revision } = await station.described();
    return new StationLoad(target, { path: station.path, revision }, options);
  }

  /** Goes on for some time, or until a client fails. */
  async goOn(ms: number): Promise<void> {
    await Promise.race([sleep(ms), this.#failure()]);
  }

  /** Resolves when clients were told of so many more writes. */
  async untilAcknowledged(more: number): Promise<void> {
    const goal = this.history.counts().acknowledged + more;
    while (this.history.counts().acknowledged < goal) {
      if (this.#hasFailed) await this.work;
      await sleep(20);
    }
  }

  /**
   * Ends the work, lets the listeners hear the rest, and holds everything against the history. Returns the last
   * revision. `kept` is the last revision of the epoch before that was not lost.
   */
  async finish(kept?: number): Promise<string> {
    this.#working.abort();
    await this.work;
    let revision = '';
    for (const { server } of this.#target.nodes) {
      const note = this.history.beginRead();
      const list = await new Station(server, this.path).list();
      note(list.revision, list);
      ({ revision } = list);
    }
    const heard = () => new Set(this.listeners.map((listener) => listener.revision));
    await expect.poll(heard, { timeout: 60_000 }).toEqual(new Set(this.listeners.map(() => revision)));
    this.#listening.abort();
    await this.#heard;
    this.history.check(await new Station(this.#target.nodes[0]!.server, this.path).history(), kept);
    expect(this.history.violations).toEqual([]);
    for (const { log } of this.#target.nodes) expect(log).not.toMatch(/index differed|"code":"internal"/);
    return revision;
  }

  #failure(): Promise<never> {
    return new Promise((_, reject) => this.work.catch(reject));
  }
}
