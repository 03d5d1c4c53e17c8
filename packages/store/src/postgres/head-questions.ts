import { setTimeout as sleep } from 'node:timers/promises';
import { RosterError, type StationAddress, stationKey } from '@roster/contract';
import type { Head, TypeCatalog } from '@roster/engine';
import type { ConnectionPool } from './connection-pool.ts';
import { hasLostTail, type KnownStation, type KnownStations } from './known-stations.ts';
import { renewLostEpochs } from './renew-epochs.ts';
import { addressKey, stationKeyOf } from './station-address-key.ts';
import { isConnectionLost } from './translate-error.ts';
import { loadCatalog } from './type-catalog.ts';

export interface HeadQuestionsParts {
  /** Holds one connection, so that one question at a time is under way. */
  readonly pool: ConnectionPool;
  readonly known: KnownStations;
  readonly server: string;
  /** How long an answer may take, from the moment it is first asked for. */
  readonly timeoutMs: number;
}

type Answers = ReadonlyMap<string, KnownStation>;

/** Everyone who asks before a question is sent shares it; everyone who comes later waits for the next. */
interface Question {
  readonly addresses: Map<string, StationAddress>;
  readonly answers: Promise<Answers>;
  readonly deadlineMs: number;
  resolve(answers: Answers): void;
  reject(error: unknown): void;
}

const retryAfterMs = 50;

/**
 * Asks the database at which revisions stations are: for all stations that anyone waits for at once, in one
 * round trip, never from memory. The same answer tells whether the catalog has moved.
 */
export class HeadQuestions {
  readonly #parts: HeadQuestionsParts;
  #catalog: TypeCatalog;
  #next: Question | undefined;
  #isAsking = false;

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
    const question = this.#join();
    question.addresses.set(key, address);
    return (await question.answers).get(key);
  }

  async askCatalog(): Promise<TypeCatalog> {
    await this.#join().answers;
    return this.#catalog;
  }

  /** Makes the catalog at least as new as what was read elsewhere. */
  async reachCatalog(revision: number): Promise<void> {
    if (this.#catalog.revision !== revision) await this.askCatalog();
  }

  #join(): Question {
    if (this.#next) return this.#next;
    this.#next = newQuestion(this.#parts.timeoutMs);
    // Sent at the end of this turn of the event loop, so that requests which arrive together share it.
    if (!this.#isAsking) setImmediate(() => this.#askAll());
    return this.#next;
  }

  async #askAll(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#next) {
      const question = this.#next;
      this.#next = undefined;
      await this.#answer(question);
    }
    this.#isAsking = false;
  }

  async #answer(question: Question): Promise<void> {
    const timer = setTimeout(
      () => question.reject(this.#tooLate()),
      Math.max(0, question.deadlineMs - performance.now()),
    );
    try {
      question.resolve(await this.#askUntilDeadline(question));
    } catch (error) {
      question.reject(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A connection that was lost is replaced, and the question sent again: the answer is fresher for it. */
  async #askUntilDeadline(question: Question): Promise<Answers> {
    for (;;) {
      try {
        return await this.#askOnce(question);
      } catch (error) {
        const isWorthwhile = isConnectionLost((error as Error).cause ?? error);
        if (!isWorthwhile || performance.now() + retryAfterMs > question.deadlineMs) throw error;
        await sleep(retryAfterMs);
      }
    }
  }

  async #askOnce({ addresses, deadlineMs }: Question): Promise<Answers> {
    const { pool, known } = this.#parts;
    return pool.use(async (client) => {
      for (;;) {
        const before = this.#knownOf(addresses);
        const query = { ...headsQuery, values: [Array.from(addresses.values(), addressKey)] };
        const query_timeout = Math.max(1, deadlineMs - performance.now());
        const { rows } = await client.query<AnswerRow>({ ...query, query_timeout } as typeof query);
        const answers = toAnswers(rows, addresses);
        const lost = before.filter((station) => hasLost(station, answers));
        if (lost.length === 0) {
          this.#remember(before, answers);
          if (rows[0]!.catalog !== this.#catalog.revision) this.#catalog = await loadCatalog(client);
          return answers;
        }
        await renewLostEpochs(client, lost);
        for (const station of lost) known.forget(station);
      }
    });
  }

  /** Taken before the question is sent: what was seen by then must be part of the answer. */
  #knownOf(addresses: Question['addresses']): KnownStation[] {
    const stations = Array.from(addresses.values(), (address) => this.#parts.known.get(address));
    return stations.filter((station) => station !== undefined);
  }

  #remember(before: readonly KnownStation[], answers: Answers): void {
    const { known } = this.#parts;
    for (const station of answers.values()) known.note(station);
    for (const station of before) {
      if (!answers.has(stationKey(station.address))) known.forget(station);
    }
  }

  #tooLate(): RosterError {
    const { server, timeoutMs } = this.#parts;
    return new RosterError(
      'store_unavailable',
      `PostgreSQL at ${server} did not tell within ${timeoutMs} ms whether the station has changed; try again`,
    );
  }
}

interface AnswerRow {
  readonly catalog: number;
  readonly address: Buffer | null;
  readonly id: number;
  readonly epoch: string;
  readonly revision: number;
  readonly rev_id: string;
}

const headsQuery = {
  name: 'heads',
  text: `
    SELECT m.value::bigint AS catalog, s.address, s.id, s.epoch, s.revision, s.rev_id
    FROM meta m LEFT JOIN stations s ON s.address = ANY($1::bytea[])
    WHERE m.key = 'catalog_revision'`,
};

function toAnswers(rows: readonly AnswerRow[], addresses: ReadonlyMap<string, StationAddress>): Answers {
  const answers = new Map<string, KnownStation>();
  for (const { address, id, epoch, revision, rev_id } of rows) {
    if (address === null) continue;
    const key = stationKeyOf(address);
    const head: Head = { epoch, number: revision, revId: rev_id };
    answers.set(key, { id, address: addresses.get(key)!, head });
  }
  return answers;
}

function hasLost({ id, address, head }: KnownStation, answers: Answers): boolean {
  const answer = answers.get(stationKey(address));
  return answer?.id === id && hasLostTail(head, answer.head);
}

function newQuestion(timeoutMs: number): Question {
  const { promise: answers, resolve, reject } = Promise.withResolvers<Answers>();
  answers.catch(() => undefined);
  return { addresses: new Map(), answers, deadlineMs: performance.now() + timeoutMs, resolve, reject };
}
