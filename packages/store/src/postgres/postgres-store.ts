import {
  type ResourceType,
  type StationAddress,
  stationKey,
  stationNotFound,
  type TypeCondition,
} from '@roster/contract';
import {
  type Batch,
  type BatchOptions,
  type BeforeVisible,
  type ChangeFeed,
  Digest,
  type Head,
  type HeadMoved,
  type HistoryPage,
  type HistoryQuery,
  type Station,
  type StationPage,
  type StationQuery,
  type Store,
  type StoredResource,
  type TokenStore,
  type TypeCatalog,
  type WriteCondition,
  type WriteResult,
} from '@roster/engine';
import type { ClientBase } from 'pg';
import { requireRevision } from '../shared/require-revision.ts';
import { onlyForReading, storeClosed } from '../shared/store-errors.ts';
import type { Announcements } from './announcements.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { compact } from './compact.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { findStation } from './find-station.ts';
import type { HeadQuestions } from './head-questions.ts';
import type { KnownStations } from './known-stations.ts';
import { openFeed } from './open-feed.ts';
import { PostgresBatch } from './postgres-batch.ts';
import { readHistory } from './read-history.ts';
import { readResource } from './read-resource.ts';
import { runSnapshot, runTransaction } from './run-transaction.ts';
import { selectStations } from './select-stations.ts';
import { isStorable } from './station-address-key.ts';
import { createStation, deleteStation, removeResource } from './station-writes.ts';
import { addFirstToken, addToken, recordTokenUses, removeToken } from './token-table.ts';
import { Turns } from './turns.ts';
import { deleteType, putTypes } from './type-catalog.ts';

export interface PostgresStoreParts {
  readonly server: string;
  readonly readOnly: boolean;
  readonly readers: ConnectionPool;
  readonly writers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly questions: HeadQuestions;
  readonly known: KnownStations;
  readonly announcements: Announcements;
  /** Tells other nodes that a station has moved. */
  hint(stationId: number): void;
  close(): Promise<void>;
}

/** A station that a write has moved, or that is gone when there is no head. */
interface Move {
  readonly id: number;
  readonly head: Head | undefined;
}

/** One node's side of a database that any number of nodes write to. */
export class PostgresStore implements Store {
  readonly tokens: TokenStore = {
    list: async () => {
      this.#requireOpen();
      return this.#parts.questions.askTokens();
    },
    add: async (token) => void (await this.#writeTogether((client) => addToken(client, token))),
    addFirst: async (token) =>
      (await this.#writeTogether((client) => addFirstToken(client, token))) !== undefined,
    remove: (id) => this.#writeTogether((client) => removeToken(client, id)),
    recordUses: async (uses) => void (await this.#writeTogether((client) => recordTokenUses(client, uses))),
  };

  readonly #parts: PostgresStoreParts;
  readonly #turns = new Turns();
  readonly #writes = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(parts: PostgresStoreParts) {
    this.#parts = parts;
  }

  head(address: StationAddress): Promise<Head | undefined> {
    this.#requireOpen();
    return this.#parts.questions.askForReader(address);
  }

  async station(address: StationAddress): Promise<Station | undefined> {
    const station = await this.#read((client) => findStation(client, address));
    return station && { address, head: station.head, counts: station.counts };
  }

  stations(query: StationQuery): Promise<StationPage> {
    return this.#read((client) => selectStations(client, query));
  }

  async catalog(): Promise<TypeCatalog> {
    this.#requireOpen();
    return this.#parts.questions.askCatalog();
  }

  knownCatalog(): TypeCatalog {
    return this.#parts.questions.catalog;
  }

  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }> {
    return this.#writeStation(address, async (client) => {
      const { id, created, head } = await runTransaction(client, () => createStation(client, address));
      return { value: { created, head }, move: created ? { id, head } : undefined };
    });
  }

  deleteStation(address: StationAddress, { ifRevision }: WriteCondition = {}): Promise<boolean> {
    return this.#writeStation(address, async (client) => {
      const id = await runTransaction(client, () => deleteStation(client, address, ifRevision));
      return { value: id !== undefined, move: id === undefined ? undefined : { id, head: undefined } };
    });
  }

  async openBatch(address: StationAddress, options: BatchOptions = {}): Promise<Batch> {
    this.#requireWritable();
    const station = await this.#parts.questions.ask(address);
    if (!station) throw stationNotFound(address);
    requireRevision(station.head, options.ifRevision);
    const { writers, answers, server } = this.#parts;
    const stationId = station.id;
    return new PostgresBatch({
      writers,
      answers,
      server,
      stationId,
      address,
      options,
      inTurn: (work) => this.#turns.run(stationKey(address), work),
      runCommit: (commit) => this.#write(() => this.#finishCommit(address, stationId, commit)),
    });
  }

  removeResource(
    address: StationAddress,
    resourceId: string,
    { ifRevision }: WriteCondition = {},
  ): Promise<WriteResult> {
    return this.#writeStation(address, async (client) => {
      const removal = { address, resourceId, ifRevision };
      const { stationId, result } = await runTransaction(client, () => removeResource(client, removal));
      return { value: result, move: { id: stationId, head: result.head } };
    });
  }

  async putTypes(types: readonly ResourceType[], condition?: TypeCondition): Promise<void> {
    if (types.length > 0) await this.#writeTogether((client) => putTypes(client, types, condition));
  }

  async deleteType(key: string, condition?: TypeCondition): Promise<boolean> {
    this.#requireOpen();
    return isStorable(key) && this.#writeTogether((client) => deleteType(client, key, condition));
  }

  async changes(address: StationAddress, since?: Head): Promise<ChangeFeed> {
    this.#requireOpen();
    return openFeed(this.#parts, address, since);
  }

  history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage> {
    return this.#read((client) => runSnapshot(client, () => readHistory(client, { address, query })));
  }

  resource(address: StationAddress, resourceId: string): Promise<StoredResource> {
    return this.#read((client) => readResource(client, { address, resourceId }));
  }

  async digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
    const { head, parts } = await this.changes(address);
    const digest = new Digest();
    for await (const { put } of parts) digest.addPacked(put);
    return { head, digest: digest.toString() };
  }

  compact(keepMs: number): Promise<void> {
    return this.#write(() => this.#parts.writers.use((client) => compact(client, keepMs)));
  }

  onBeforeVisible(hook: BeforeVisible): void {
    this.#parts.announcements.hook = hook;
  }

  onHeadMoved(listener: HeadMoved): void {
    this.#parts.announcements.listener = listener;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** A connection comes before a turn: who waits for a turn may hold the last connection. */
  #writeStation<T>(
    address: StationAddress,
    write: (client: ClientBase) => Promise<{ value: T; move: Move | undefined }>,
  ): Promise<T> {
    return this.#write(async () => {
      const { value, move } = await this.#parts.writers.use((client) =>
        this.#turns.run(stationKey(address), () => this.#parts.answers.run(client, () => write(client))),
      );
      await this.#announce(address, move);
      return value;
    });
  }

  async #finishCommit(
    address: StationAddress,
    id: number,
    commit: () => Promise<WriteResult>,
  ): Promise<WriteResult> {
    const result = await commit();
    const { head, created, updated, removed } = result;
    await this.#announce(address, created + updated + removed > 0 ? { id, head } : undefined);
    return result;
  }

  /** A write that changed nothing still waits for what it saw. */
  async #announce(address: StationAddress, move: Move | undefined): Promise<void> {
    const { announcements, known, hint } = this.#parts;
    if (!move) return announcements.settled(address);
    const { id, head } = move;
    if (head) known.note({ id, address, head });
    hint(id);
    await announcements.announce(address, head);
  }

  /** All that `write` does as one, or nothing of it: see `runTransaction`. */
  #writeTogether<T extends NonNullable<unknown> | undefined>(
    write: (client: ClientBase) => Promise<T>,
  ): Promise<T> {
    return this.#write(() =>
      this.#parts.writers.use((client) => runTransaction(client, () => write(client))),
    );
  }

  async #read<T>(read: (client: ClientBase) => Promise<T>): Promise<T> {
    this.#requireOpen();
    const { readers, answers } = this.#parts;
    return readers.read((client) => answers.run(client, () => read(client)));
  }

  async #write<T>(write: () => Promise<T>): Promise<T> {
    this.#requireWritable();
    const running = write();
    this.#writes.add(running);
    try {
      return await running;
    } finally {
      this.#writes.delete(running);
    }
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#writes);
    await this.#parts.close();
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.#parts.readOnly) throw onlyForReading();
  }

  #requireOpen(): void {
    if (this.#closed) throw storeClosed();
  }
}
