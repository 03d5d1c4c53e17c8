import { type StationAddress, stationKey } from '@roster/contract';
import type { Head, StationCounts, WriteResult } from '@roster/engine/port';
import type { DirectWrite } from '../../shared/direct/direct-write.ts';
import {
  type Committed,
  type Durable,
  maxRecordsPerCommit,
  type Outcome,
  SharedCommits,
} from '../../shared/direct/shared-commits.ts';
import type { KeyedQueue } from '../../shared/keyed-queue.ts';
import { joinChanges, type StationChanges } from '../../shared/station-changes.ts';
import type { AnswerWatch } from '../connection/answer-watch.ts';
import type { ConnectionPool } from '../connection/connection-pool.ts';
import { translateError } from '../connection/translate-error.ts';
import {
  commitAlone,
  commitTogether,
  type DirectOutcome,
  isUnfinished,
  type WrittenDirectly,
} from './direct-commit.ts';

/** A station moved by a write; without a head it is gone. */
export interface Move {
  readonly id: number;
  readonly head: Head | undefined;
  readonly changes?: StationChanges | undefined;
  readonly counts?: StationCounts | undefined;
}

interface DirectCommitsParts {
  readonly writers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly server: string;
  /** The turns of all writes to a station, by its key. */
  readonly queue: KeyedQueue;
  /** Resolves when the move is visible. */
  announce(address: StationAddress, move: Move | undefined): Promise<void>;
}

type StationCommits = SharedCommits<Committed<WriteResult | undefined>>;

/** Writes to one station that wait to be committed together. */
interface WaitingCommit {
  readonly stationId: number;
  readonly key: string;
  readonly writes: readonly DirectWrite[];
  readonly outcomes: DirectOutcome[];
}

interface Waiting extends PromiseWithResolvers<void> {
  readonly commit: WaitingCommit;
}

/** How many commits of several stations run at once: while one waits for the disk, the other is prepared. */
const maxCommitsAtOnce = 2;

/**
 * Commits small writes. Those to one station queue while its commit is under way; those to different stations that wait
 * at the same time share a transaction. A station that is locked, or that this node is importing into, keeps no other
 * waiting: it is committed alone.
 */
export class DirectCommits {
  readonly #parts: DirectCommitsParts;
  readonly #byStation = new Map<number, StationCommits>();
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(parts: DirectCommitsParts) {
    this.#parts = parts;
  }

  /** Resolves when the write is durable and visible, to undefined when it must be staged. */
  async write(stationId: number, write: DirectWrite): Promise<WriteResult | undefined> {
    const { result, published } = await this.#commitsOf(stationId, write.address).add(write);
    await published;
    return result;
  }

  #commitsOf(stationId: number, address: StationAddress): StationCommits {
    return this.#byStation.getOrInsertComputed(
      stationId,
      () =>
        new SharedCommits(
          (writes) => this.#commit(stationId, address, writes),
          () => this.#byStation.delete(stationId),
        ),
    );
  }

  async #commit(
    id: number,
    address: StationAddress,
    writes: readonly DirectWrite[],
  ): Promise<Durable<Committed<WriteResult | undefined>>> {
    const outcomes: DirectOutcome[] = [];
    const commit = { stationId: id, key: stationKey(address), writes, outcomes };
    try {
      await this.#commitWithOthers(commit);
      if (isUnfinished(commit)) await this.#commitAlone(commit);
    } catch (error) {
      for (const _ of writes.slice(outcomes.length)) outcomes.push({ error });
    }
    return { publish: () => this.#publish(id, address, outcomes) };
  }

  #publish(
    id: number,
    address: StationAddress,
    outcomes: readonly DirectOutcome[],
  ): readonly Outcome<Committed<WriteResult | undefined>>[] {
    const written = outcomes.flatMap((outcome) => ('error' in outcome ? [] : (outcome.value ?? [])));
    const moves = written.filter(({ result, changes }) => result.head.number !== changes.since.number);
    const last = moves.at(-1);
    const move = last && { id, head: last.result.head, counts: last.counts, changes: changesOfAll(moves) };
    const published = this.#parts.announce(address, move);
    return outcomes.map((outcome) => {
      if ('error' in outcome) return { error: translateError(outcome.error, this.#parts.server) };
      return { value: { result: outcome.value?.result, published } };
    });
  }

  #commitWithOthers(commit: WaitingCommit): Promise<void> {
    const waiting = { commit, ...Promise.withResolvers<void>() };
    this.#waiting.push(waiting);
    if (this.#running < maxCommitsAtOnce) void this.#commitAll();
    return waiting.promise;
  }

  async #commitAll(): Promise<void> {
    this.#running++;
    // Commits that arrive in the same turn share the first transaction.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#commitNext();
    this.#running--;
  }

  /** Takes a connection first: until there is one, more commits can join. */
  async #commitNext(): Promise<void> {
    const { writers, answers, queue } = this.#parts;
    const asked = [...this.#waiting];
    let taken: Waiting[] | undefined;
    try {
      await writers.use(async (client) => {
        const { free = [], busy = [] } = Object.groupBy(this.#takeNext(), ({ commit }) =>
          queue.isBusy(commit.key) ? 'busy' : 'free',
        );
        taken = free;
        for (const { resolve } of busy) resolve();
        if (free.length === 0) return;
        const commits = free.map(({ commit }) => commit);
        const committed = answers.run(client, () => commitTogether(client, commits));
        // Other writes to these stations wait for their turns meanwhile.
        for (const { key } of commits) queue.run(key, () => committed).catch(() => undefined);
        await committed;
      });
      for (const { resolve } of taken ?? []) resolve();
    } catch (error) {
      const failed = new Set(taken ?? asked.filter((waiting) => this.#waiting.includes(waiting)));
      this.#waiting = this.#waiting.filter((waiting) => !failed.has(waiting));
      for (const { reject } of failed) reject(error);
    }
  }

  #takeNext(): Waiting[] {
    let records = 0;
    const isFull = this.#waiting.findIndex(({ commit }, at) => {
      for (const write of commit.writes) records += 1 + write.records.length;
      return at > 0 && records > maxRecordsPerCommit;
    });
    const next = isFull === -1 ? this.#waiting : this.#waiting.slice(0, isFull);
    this.#waiting = this.#waiting.slice(next.length);
    return next;
  }

  /** Takes a connection before queueing: a queued write may hold the last connection. */
  async #commitAlone(commit: WaitingCommit): Promise<void> {
    const { writers, answers, queue } = this.#parts;
    await writers.use((client) =>
      queue.run(commit.key, () => answers.run(client, () => commitAlone(client, commit))),
    );
  }
}

/** Undefined when another node has written between them: the changes are to be read then. */
function changesOfAll(moves: readonly WrittenDirectly[]): StationChanges | undefined {
  const isGapless = moves.every(
    ({ changes }, at) => at === 0 || changes.since.revId === moves[at - 1]!.result.head.revId,
  );
  return isGapless ? joinChanges(moves.map(({ changes }) => changes)) : undefined;
}
