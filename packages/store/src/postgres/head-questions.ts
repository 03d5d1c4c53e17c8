import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type StationAddress } from '@roster/contract';
import type { Head, StoredToken, TypeCatalog } from '@roster/engine';
import type { ClientBase } from 'pg';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import { HeadQuestion } from './head-question.ts';
import { type Heads, queryHeads } from './heads-query.ts';
import type { KnownStation, KnownStations } from './known-stations.ts';
import { type TakenIn, takeInHeads } from './take-in-heads.ts';
import { listTokens } from './token-table.ts';
import { isConnectionLost, translateError } from './translate-error.ts';
import { loadCatalog } from './type-catalog.ts';

export interface HeadQuestionsParts {
  /** Of one connection, which is kept. */
  readonly pool: ConnectionPool;
  readonly known: KnownStations;
  readonly server: string;
  /** How long an answer may take, from the moment it is first asked for. */
  readonly timeoutMs: number;
}

const retryAfterMs = 50;
const looksPerTimeout = 20;

/**
 * Asks the database at which revisions stations are: for all stations that anyone waits for at once, in one
 * round trip, never from memory. The same answer tells whether the catalog has moved, and has all tokens where they
 * are wanted, since no call may wait for those behind a large read.
 */
export class HeadQuestions {
  readonly #parts: HeadQuestionsParts;
  #catalog: TypeCatalog;
  #lease: Lease | undefined;
  /** The question that is under way. */
  #current: HeadQuestion | undefined;
  /** Everyone who asks before it is sent shares it; everyone who comes later waits for the one after. */
  #next: HeadQuestion | undefined;
  /** So many have to ask the next question before it is sent, or a turn of the loop has to pass. */
  #wanted = 1;
  #watch: NodeJS.Timeout | undefined;

  constructor(parts: HeadQuestionsParts, catalog: TypeCatalog) {
    this.#parts = parts;
    this.#catalog = catalog;
  }

  /** At least as new as every answer that was given. */
  get catalog(): TypeCatalog {
    return this.#catalog;
  }

  ask(address: StationAddress): Promise<KnownStation | undefined> {
    return this.#join().add(address);
  }

  /** For someone who reads the station. All who do so together get the same promise. */
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

  /** Makes the catalog at least as new as what was read elsewhere. */
  async reachCatalog(revision: number): Promise<void> {
    if (this.#catalog.revision !== revision) await this.askCatalog();
  }

  /** The question that is sent next. It may be added to until the caller is done. */
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

  /** Most answers tell what was known before, and then those who wait hear it at once. */
  #ask(question: HeadQuestion): void {
    if (this.#lease === undefined) return void this.#connect(question);
    const { client } = this.#lease;
    const { addresses } = question;
    const before = addresses.map((address) => this.#parts.known.get(address));
    // Whoever made an address anew for this question finds what is kept of the one that is known.
    const asked = addresses.map((address, at) => before[at]?.address ?? address);
    queryHeads(client, asked, {
      onHeads: (heads) => {
        if (!question.isForTokens && this.#isKnown(heads, before)) this.#answer(question, heads.stations, []);
        else void this.#takeIn(question, client, { before, heads });
      },
      onError: (error) => void this.#recover(question, error),
    });
  }

  /** A head is the same object as before only where all that was told of the station is the same. */
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

  /** Types come first: whoever reads at one of these heads must find the labels of all its types. */
  async #takeIn(question: HeadQuestion, client: ClientBase, taken: TakenIn): Promise<void> {
    try {
      const mustAskAgain = await takeInHeads(client, this.#parts.known, taken);
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

  /** A connection that was lost is replaced, and the question sent again: the answer is fresher for it. */
  async #recover(question: HeadQuestion, error: unknown): Promise<void> {
    this.#drop(error);
    const translated = translateError(error, this.#parts.server);
    const isWorthwhile = isConnectionLost(translated.cause);
    if (isWorthwhile && performance.now() + retryAfterMs <= question.deadlineMs) {
      await sleep(retryAfterMs);
      this.#ask(question);
    } else {
      this.#end(question);
      question.reject(translated);
    }
  }

  /**
   * To be called before anyone hears the answer. The next question goes out when they are answered, and half of all
   * who are about to ask have done so: while the database answers one half, the node reads what the other asks for.
   * Otherwise one list that came alone would have every second question for itself, and the node nothing to do
   * during the others.
   */
  #end(question: HeadQuestion): void {
    this.#current = undefined;
    this.#wanted = Math.ceil((question.askers + (this.#next?.askers ?? 0)) / 2);
    setImmediate(() => this.#gather());
  }

  /** Where not enough have asked, the others have one turn of the loop to do so. */
  #gather(): void {
    const isEnough = this.#wanted === 1 || (this.#next?.askers ?? 0) >= this.#wanted;
    if (isEnough) this.#send();
    else setImmediate(() => this.#send());
  }

  /** Gives up on a question that takes too long. One timer for all of them: there are thousands a second. */
  #look(): void {
    const question = this.#current;
    if (question === undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (performance.now() > question.deadlineMs) this.#giveUp(question);
  }

  #giveUp(question: HeadQuestion): void {
    const { server, timeoutMs } = this.#parts;
    question.reject(
      new RosterError(
        'store_unavailable',
        `PostgreSQL at ${server} did not tell within ${timeoutMs} ms what has changed; try again`,
      ),
    );
    this.#drop(new Error('no answer in time'));
  }

  #drop(error: unknown): void {
    this.#lease?.giveBack(error);
    this.#lease = undefined;
  }
}
