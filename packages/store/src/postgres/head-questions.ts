import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { Head, StoredToken, TypeCatalog } from '@roster/engine';
import { askHeads } from './ask-heads.ts';
import type { ConnectionPool, Lease } from './connection-pool.ts';
import type { KnownStation, KnownStations } from './known-stations.ts';
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

interface Answers {
  readonly stations: ReadonlyMap<string, KnownStation>;
  /** Empty unless they were asked for. */
  readonly tokens: readonly StoredToken[];
}

/** Everyone who asks before a question is sent shares it; everyone who comes later waits for the next. */
interface Question {
  readonly addresses: Map<string, StationAddress>;
  /** What those wait for who read. */
  readonly readers: Map<StationAddress, Promise<Head | undefined>>;
  isForTokens: boolean;
  readonly answers: Promise<Answers>;
  readonly deadlineMs: number;
  resolve(answers: Answers): void;
  reject(error: unknown): void;
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
  #current: Question | undefined;
  #next: Question | undefined;
  /** Whether a question is under way, or about to be sent. */
  #isBusy = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(parts: HeadQuestionsParts, catalog: TypeCatalog) {
    this.#parts = parts;
    this.#catalog = catalog;
  }

  /** At least as new as every answer that was given. */
  get catalog(): TypeCatalog {
    return this.#catalog;
  }

  async ask(address: StationAddress): Promise<KnownStation | undefined> {
    const key = stationKey(address);
    const { addresses, answers } = this.#join();
    addresses.set(key, address);
    return (await answers).stations.get(key);
  }

  /** For someone who reads the station. All who do so together get the same promise: every list waits for one. */
  askForReader(address: StationAddress): Promise<Head | undefined> {
    const { addresses, readers, answers } = this.#join();
    const asked = readers.get(address);
    if (asked !== undefined) return asked;
    const key = stationKey(address);
    addresses.set(key, address);
    const head = answers.then(({ stations }) => stations.get(key)?.head);
    readers.set(address, head);
    return head;
  }

  async askCatalog(): Promise<TypeCatalog> {
    await this.#join().answers;
    return this.#catalog;
  }

  async askTokens(): Promise<readonly StoredToken[]> {
    const question = this.#join();
    question.isForTokens = true;
    return (await question.answers).tokens;
  }

  /** Makes the catalog at least as new as what was read elsewhere. */
  async reachCatalog(revision: number): Promise<void> {
    if (this.#catalog.revision !== revision) await this.askCatalog();
  }

  /** The question that is sent next. It may be added to until the caller is done. */
  #join(): Question {
    if (this.#next !== undefined) return this.#next;
    this.#next = newQuestion(this.#parts.timeoutMs);
    if (!this.#isBusy) {
      this.#isBusy = true;
      queueMicrotask(() => this.#send());
    }
    return this.#next;
  }

  /**
   * The next question goes out when those who asked this one are answered, and all that has come in meanwhile is read:
   * under load questions are fewer and larger for it.
   */
  #send(): void {
    const question = this.#next;
    this.#next = undefined;
    this.#current = question;
    this.#isBusy = question !== undefined;
    if (question === undefined) return;
    this.#watch ??= setInterval(() => this.#look(), this.#parts.timeoutMs / looksPerTimeout).unref();
    const goOn = () => {
      this.#current = undefined;
      setImmediate(() => this.#send());
    };
    this.#askUntilDeadline(question).then(
      (answers) => {
        goOn();
        question.resolve(answers);
      },
      (error) => {
        goOn();
        question.reject(error);
      },
    );
  }

  /** A connection that was lost is replaced, and the question sent again: the answer is fresher for it. */
  async #askUntilDeadline(question: Question): Promise<Answers> {
    for (;;) {
      try {
        return await this.#askOnce(question);
      } catch (error) {
        const isWorthwhile = isConnectionLost((error as Error).cause);
        if (!isWorthwhile || performance.now() + retryAfterMs > question.deadlineMs) throw error;
        await sleep(retryAfterMs);
      }
    }
  }

  /** Types come first: whoever reads at one of these heads must find the labels of all its types. */
  async #askOnce({ addresses, readers, isForTokens }: Question): Promise<Answers> {
    const { pool, known } = this.#parts;
    this.#lease ??= await pool.take();
    const { client } = this.#lease;
    try {
      const { stations, catalogRevision } = await askHeads(client, [...addresses.values()], known);
      for (const address of readers.keys()) known.markAsked(address);
      if (catalogRevision !== this.#catalog.revision) this.#catalog = await loadCatalog(client);
      return { stations, tokens: isForTokens ? await listTokens(client) : [] };
    } catch (error) {
      this.#drop(error);
      throw translateError(error, this.#parts.server);
    }
  }

  /** Gives up on a question that takes too long. One timer for all of them: there are thousands a second. */
  #look(): void {
    const question = this.#current;
    if (question === undefined) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    } else if (performance.now() > question.deadlineMs) this.#giveUp(question);
  }

  #giveUp(question: Question): void {
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

function newQuestion(timeoutMs: number): Question {
  const { promise: answers, resolve, reject } = Promise.withResolvers<Answers>();
  answers.catch(() => undefined);
  const deadlineMs = performance.now() + timeoutMs;
  return {
    addresses: new Map(),
    readers: new Map(),
    isForTokens: false,
    answers,
    deadlineMs,
    resolve,
    reject,
  };
}
