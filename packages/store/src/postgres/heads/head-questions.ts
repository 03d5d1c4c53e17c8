import { setTimeout as sleep } from 'node:timers/promises';
import { type RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { Head, StoredToken, TypeCatalog } from '@roster/engine/port';
import type { ClientBase } from 'pg';
import { storeUnavailable } from '../../shared/store-errors.ts';
import type { ConnectionPool, Lease } from '../connection/connection-pool.ts';
import { isConnectionLost, translateError } from '../connection/translate-error.ts';
import { listTokens } from '../schema/token-table.ts';
import { loadCatalog } from '../schema/type-catalog.ts';
import { type Heads, queryHeads } from './heads-query.ts';
import type { KnownStation, KnownStations } from './known-stations.ts';
import { hasLostTail, renewLostEpochs } from './lineage-check.ts';

export interface HeadQuestionsParts {
  /** With a single connection, which is kept. */
  readonly pool: ConnectionPool;
  readonly known: KnownStations;
  readonly server: string;
  /** How long an answer may take, counted from the first caller. */
  readonly timeoutMs: number;
  /** Whether stations that lost their tail keep their epoch. */
  readonly readOnly: boolean;
}

const retryAfterMs = 50;
const looksPerTimeout = 20;

/**
 * Asks the database for the heads of all stations that anyone waits for, in one round trip, never from
 * memory. The answer also shows whether the catalog has moved, and carries the tokens where wanted, because
 * no call may wait for those behind a large read.
 */
export class HeadQuestions {
  readonly #parts: HeadQuestionsParts;
  #catalog: TypeCatalog;
  #lease: Lease | undefined;
  /** The question being answered. */
  #current: HeadQuestion | undefined;
  /** Shared by everyone who asks before it is sent; later callers wait for the one after. */
  #next: HeadQuestion | undefined;
  /** The next question is sent once this many have asked, or after a tick of the event loop. */
  #wanted = 1;
  #watch: NodeJS.Timeout | undefined;

  constructor(parts: HeadQuestionsParts, catalog: TypeCatalog) {
    this.#parts = parts;
    this.#catalog = catalog;
  }

  /** At least as new as every answer given. */
  get catalog(): TypeCatalog {
    return this.#catalog;
  }

  ask(address: StationAddress): Promise<KnownStation | undefined> {
    return this.#join().add(address);
  }

  /** For a reader of the station. Concurrent readers get the same promise. */
  askForReader(address: StationAddress): Promise<Head | undefined> {
    return this.#join().addReader(address);
  }

  async askCatalog(): Promise<TypeCatalog> {
    await this.#join().answer;
    return this.#catalog;
  }

  async askTokens(): Promise<readonly StoredToken[]> {
    const question = this.#join();
    question.isForTokens = true;
    return (await question.answer).tokens;
  }

  /** Makes the catalog at least as new as one read elsewhere. */
  async reachCatalog(revision: number): Promise<void> {
    if (this.#catalog.revision !== revision) await this.askCatalog();
  }

  /** The question to be sent next. The caller may add to it synchronously. */
  #join(): HeadQuestion {
    this.#next ??= new HeadQuestion(this.#parts.timeoutMs);
    this.#next.askers++;
    if (this.#next.askers === this.#wanted && this.#current === undefined) queueMicrotask(() => this.#send());
    return this.#next;
  }

  #send(): void {
    if (this.#current !== undefined) return;
    this.#wanted = 1;
    const question = this.#next;
    if (question === undefined) return;
    this.#next = undefined;
    this.#current = question;
    this.#watch ??= setInterval(() => this.#look(), this.#parts.timeoutMs / looksPerTimeout).unref();
    this.#ask(question);
  }

  /** Most answers repeat what is known, and are then passed on at once. */
  #ask(question: HeadQuestion): void {
    if (this.#lease === undefined) return void this.#connect(question);
    const { client } = this.#lease;
    const { addresses } = question;
    const before = addresses.map((address) => this.#parts.known.get(address));
    // A new address object would not find the cached message of the known one.
    const asked = addresses.map((address, at) => before[at]?.address ?? address);
    queryHeads(client, asked, {
      onHeads: (heads) => {
        if (!question.isForTokens && this.#isKnown(heads, before)) this.#answer(question, heads.stations, []);
        else void this.#takeIn(question, client, { before, heads });
      },
      onError: (error) => void this.#recover(question, error),
    });
  }

  /** A head is the same object as before only if nothing about the station has changed. */
  #isKnown({ stations, catalogRevision }: Heads, before: TakenIn['before']): boolean {
    if (catalogRevision !== this.#catalog.revision) return false;
    return stations.every((station, at) => station !== undefined && station.head === before[at]?.head);
  }

  async #connect(question: HeadQuestion): Promise<void> {
    try {
      this.#lease = await this.#parts.pool.take();
    } catch (error) {
      return this.#recover(question, error);
    }
    this.#ask(question);
  }

  /** Types come first: a reader at one of these heads must find the labels of all its types. */
  async #takeIn(question: HeadQuestion, client: ClientBase, taken: TakenIn): Promise<void> {
    try {
      const mustAskAgain = await takeInHeads(client, this.#parts, taken);
      if (mustAskAgain) return this.#ask(question);
      const { stations, catalogRevision } = taken.heads;
      if (catalogRevision !== this.#catalog.revision) this.#catalog = await loadCatalog(client);
      const tokens = question.isForTokens ? await listTokens(client) : [];
      this.#answer(question, stations, tokens);
    } catch (error) {
      await this.#recover(question, error);
    }
  }

  #answer(question: HeadQuestion, stations: Heads['stations'], tokens: readonly StoredToken[]): void {
    for (const address of question.readStations()) this.#parts.known.markAsked(address);
    this.#end(question);
    question.resolve({ stations, tokens });
  }

  /** Replaces a lost connection and asks again: the answer is only fresher. */
  async #recover(question: HeadQuestion, error: unknown): Promise<void> {
    this.#drop(error);
    const translated = translateError(error, this.#parts.server);
    const isWorthwhile = isConnectionLost(translated.cause);
    if (isWorthwhile && performance.now() + retryAfterMs <= question.deadlineMs) {
      question.lastError = translated;
      await sleep(retryAfterMs);
      this.#ask(question);
    } else {
      this.#end(question);
      question.reject(translated);
    }
  }

  /**
   * Call it before resolving the answer. The next question goes out once half of all expected callers have
   * asked: while the database answers one half, the node serves the other. Otherwise a single early list
   * would have every second question to itself and the node would idle. Measured: lists 8 to 10 % faster.
   */
  #end(question: HeadQuestion): void {
    this.#current = undefined;
    this.#wanted = Math.ceil((question.askers + (this.#next?.askers ?? 0)) / 2);
    setImmediate(() => this.#gather());
  }

  /** If too few have asked, the others get one more tick of the event loop. */
  #gather(): void {
    const isEnough = this.#wanted === 1 || (this.#next?.askers ?? 0) >= this.#wanted;
    if (isEnough) this.#send();
    else setImmediate(() => this.#send());
  }

  /** Gives up on a question that takes too long. One timer serves all: there are thousands a second. */
  #look(): void {
    const question = this.#current;
    if (question === undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (performance.now() > question.deadlineMs) this.#giveUp(question);
  }

  #giveUp(question: HeadQuestion): void {
    const { server, timeoutMs } = this.#parts;
    const message = `PostgreSQL at ${server} did not answer within ${timeoutMs} ms; try again`;
    question.reject(question.lastError ?? storeUnavailable(message));
    this.#drop(new Error('no answer in time'));
  }

  #drop(error: unknown): void {
    this.#lease?.giveBack(error);
    this.#lease = undefined;
  }
}

export interface HeadAnswer {
  /** In the order of the addresses; undefined where there is no such station. */
  readonly stations: readonly (KnownStation | undefined)[];
  /** Empty unless asked for. */
  readonly tokens: readonly StoredToken[];
}

interface AskedStation {
  readonly address: StationAddress;
  readonly position: number;
  /** What its readers wait for. */
  head?: PromiseWithResolvers<Head | undefined>;
}

/**
 * One question to the database and everyone who waits for its answer. It can be added to until it is sent.
 */
export class HeadQuestion {
  /** When waiting callers are given up on, on the clock of `performance.now()`. */
  readonly deadlineMs: number;
  isForTokens = false;
  askers = 0;
  /** Why it had to be asked again. Says more than that there was no answer in time. */
  lastError: RosterError | undefined;
  readonly #stations = new Map<string, AskedStation>();
  #answer: PromiseWithResolvers<HeadAnswer> | undefined;

  constructor(timeoutMs: number) {
    this.deadlineMs = performance.now() + timeoutMs;
  }

  get addresses(): StationAddress[] {
    return Array.from(this.#stations.values(), ({ address }) => address);
  }

  get answer(): Promise<HeadAnswer> {
    this.#answer ??= Promise.withResolvers();
    return this.#answer.promise;
  }

  /** All readers of a station get the same promise. */
  addReader(address: StationAddress): Promise<Head | undefined> {
    const station = this.#asked(address);
    station.head ??= Promise.withResolvers();
    return station.head.promise;
  }

  async add(address: StationAddress): Promise<KnownStation | undefined> {
    const { position } = this.#asked(address);
    return (await this.answer).stations[position];
  }

  /** The stations that have readers. */
  *readStations(): Iterable<StationAddress> {
    for (const { address, head } of this.#stations.values()) if (head !== undefined) yield address;
  }

  resolve(answer: HeadAnswer): void {
    for (const { head, position } of this.#stations.values()) head?.resolve(answer.stations[position]?.head);
    this.#answer?.resolve(answer);
  }

  reject(error: unknown): void {
    for (const { head } of this.#stations.values()) head?.reject(error);
    this.#answer?.reject(error);
  }

  #asked(address: StationAddress): AskedStation {
    const key = stationKey(address);
    let station = this.#stations.get(key);
    if (station === undefined) {
      station = { address, position: this.#stations.size };
      this.#stations.set(key, station);
    }
    return station;
  }
}

export interface TakenIn {
  /** What was known when the question was sent, in the same order; the answer must include it. */
  readonly before: readonly (KnownStation | undefined)[];
  readonly heads: Heads;
}

/**
 * Records the heads of stations. Stations that fell behind what was known get a new epoch first and must be
 * asked for again. Returns whether there are any.
 */
async function takeInHeads(
  client: ClientBase,
  { known, readOnly }: HeadQuestionsParts,
  { before, heads }: TakenIn,
): Promise<boolean> {
  const { stations } = heads;
  const lost = before.filter((station, at) => station && hasLost(station, stations[at])) as KnownStation[];
  if (lost.length > 0) {
    if (!readOnly) await renewLostEpochs(client, lost);
    for (const station of lost) known.forget(station);
    return true;
  }
  for (const [at, station] of stations.entries()) {
    if (station) known.note(station);
    else if (before[at]) known.forget(before[at]);
  }
  return false;
}

function hasLost({ id, head }: KnownStation, answer: KnownStation | undefined): boolean {
  return answer?.id === id && hasLostTail(head, answer.head);
}
