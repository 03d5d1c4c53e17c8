import {
  type ResourceType,
  type StationAddress,
  stationKey,
  stationNotFound,
  type VersionCondition,
} from '@roster/contract';
import {
  type Batch,
  type BatchOptions,
  Digest,
  type Feed,
  type Head,
  type HistoryPage,
  type HistoryQuery,
  type NoteStore,
  type PartOfStation,
  type Station,
  type StationPage,
  type StationPart,
  type StationQuery,
  type Store,
  type StoredResource,
  type TokenStore,
  type TrendStore,
  type TypeCatalog,
  type ViewStore,
  type WriteCondition,
  type WriteOptions,
  type WriteResult,
} from '@roster/engine/port';
import type { ClientBase } from 'pg';
import type { Announcements } from '../shared/announcements.ts';
import { BaseStore } from '../shared/base-store.ts';
import { KeyedQueue } from '../shared/keyed-queue.ts';
import { requireRevision } from '../shared/store-errors.ts';
import { hoursBetween, toHours } from '../shared/trends.ts';
import type { AnswerWatch } from './connection/answer-watch.ts';
import type { ConnectionPool } from './connection/connection-pool.ts';
import { runSnapshot, runTransaction } from './connection/run-transaction.ts';
import type { HeadQuestions } from './heads/head-questions.ts';
import type { KnownStations } from './heads/known-stations.ts';
import { AllStations } from './read/all-stations.ts';
import { openFeed } from './read/open-feed.ts';
import { readHistory } from './read/read-history.ts';
import { readParts } from './read/read-parts.ts';
import { readResource } from './read/read-resource.ts';
import { selectStations } from './read/select-stations.ts';
import { findStation, isStorable } from './schema/find-station.ts';
import { noteVersions, readNote, removeNotes, writeNote } from './schema/note-table.ts';
import { addFirstToken, addToken, recordTokenUses, removeToken } from './schema/token-table.ts';
import { addTrends, forgetTrends, readTrends, sampleTrends } from './schema/trend-table.ts';
import { deleteType, putTypes } from './schema/type-catalog.ts';
import { findView, listViews, putView, removeView } from './schema/view-table.ts';
import type { CommittedBatch } from './write/commit-batch.ts';
import { compactHistory } from './write/compact-history.ts';
import { DirectCommits, type Move } from './write/direct-commits.ts';
import { PostgresBatch } from './write/postgres-batch.ts';
import { createStation, deleteStation } from './write/station-writes.ts';

export interface PostgresStoreParts {
  readonly server: string;
  readonly maxDirectRecords: number;
  readonly readOnly: boolean;
  readonly readers: ConnectionPool;
  readonly writers: ConnectionPool;
  readonly answers: AnswerWatch;
  readonly questions: HeadQuestions;
  readonly known: KnownStations;
  readonly announcements: Announcements;
  /** Tells other nodes that a station has moved. */
  notifyNodes(stationId: number): void;
  close(): Promise<void>;
}

/** One node's access to a database shared by any number of nodes. */
export class PostgresStore extends BaseStore implements Store {
  readonly tokens: TokenStore = {
    list: async () => {
      this.requireOpen();
      return this.#parts.questions.askTokens();
    },
    add: async (token) => void (await this.#writeTogether((client) => addToken(client, token))),
    addFirst: async (token) =>
      (await this.#writeTogether((client) => addFirstToken(client, token))) !== undefined,
    remove: (id, { cascade = false } = {}) =>
      this.#writeTogether((client) => removeToken(client, id, cascade)),
    recordUses: async (uses) => void (await this.#writeTogether((client) => recordTokenUses(client, uses))),
  };

  readonly views: ViewStore = {
    list: (owners) => this.#read((client) => listViews(client, owners)),
    get: (owner, name) => this.#read((client) => findView(client, owner, name)),
    put: (view, condition) => this.#writeTogether((client) => putView(client, view, condition)),
    remove: (owner, name, condition) =>
      this.#writeTogether((client) => removeView(client, { owner, name }, condition)),
  };

  readonly notes: NoteStore = {
    isShared: true,
    versions: (prefix) => this.#read((client) => noteVersions(client, prefix)),
    read: (key) => this.#read((client) => readNote(client, key)),
    write: (key, body, ifVersion) =>
      this.#writeTogether((client) => writeNote(client, { key, body, ifVersion })),
    remove: async (keys) => void (await this.#writeTogether((client) => removeNotes(client, keys))),
  };

  readonly trends: TrendStore = {
    sample: async (atMs, apartMs) =>
      void (await this.#writeTogether((client) => sampleTrends(client, atMs, apartMs))),
    read: async (address, fromMs, toMs) => {
      const hours = hoursBetween(fromMs, toMs);
      const read = (client: ClientBase) => runSnapshot(client, () => readTrends(client, address, hours));
      return toHours(await this.#read(read), hours);
    },
    add: async (address, hours) =>
      void (await this.#writeTogether((client) => addTrends(client, address, hours))),
    forget: async (untilMs) => {
      while (await this.#writeTogether((client) => forgetTrends(client, untilMs)));
    },
  };

  readonly #parts: PostgresStoreParts;
  readonly #queue = new KeyedQueue();
  readonly #allStations = new AllStations();
  readonly #directCommits: DirectCommits;

  constructor(parts: PostgresStoreParts) {
    super(parts.announcements, parts.readOnly);
    this.#parts = parts;
    const { writers, answers, server } = parts;
    const announce = (address: StationAddress, move: Move | undefined) => this.#announce(address, move);
    this.#directCommits = new DirectCommits({ writers, answers, server, queue: this.#queue, announce });
  }

  head(address: StationAddress): Promise<Head | undefined> {
    this.requireOpen();
    return this.#parts.questions.askForReader(address);
  }

  async station(address: StationAddress): Promise<Station | undefined> {
    const station = await this.#read((client) => findStation(client, address));
    return station && { address, head: station.head, counts: station.counts };
  }

  stations(query: StationQuery): Promise<StationPage> {
    return this.#read((client) => selectStations(client, query));
  }

  async allStations(): Promise<readonly Station[]> {
    this.requireOpen();
    return this.#allStations.ask((read) => this.#read((client) => runSnapshot(client, () => read(client))));
  }

  async catalog(): Promise<TypeCatalog> {
    this.requireOpen();
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
    this.requireWritable();
    const known = await this.#parts.questions.ask(address);
    const station = known && (await this.#countedStation(address, known.head));
    if (!station) throw stationNotFound(address);
    requireRevision(station.head, options.ifRevision);
    const { writers, answers, server, maxDirectRecords } = this.#parts;
    const stationId = known.id;
    return new PostgresBatch({
      writers,
      answers,
      server,
      maxDirectRecords,
      stationId,
      station,
      options,
      inTurn: (work) => this.#queue.run(stationKey(address), work),
      writeDirectly: (write) => this.write(() => this.#directCommits.write(stationId, write)),
      runCommit: (commit) => this.write(() => this.#finishCommit(address, stationId, commit)),
      isFollowed: () => this.isFollowed(address),
    });
  }

  removeResource(
    address: StationAddress,
    resourceId: string,
    { ifRevision, changedBy }: WriteOptions = {},
  ): Promise<WriteResult> {
    return this.write(async () => {
      const station = await this.#parts.questions.ask(address);
      if (!station) throw stationNotFound(address);
      const removal = { mode: 'merge', records: [], removed: resourceId } as const;
      const write = { address, ifRevision, changedBy, ...removal };
      return (await this.#directCommits.write(station.id, write))!;
    });
  }

  async putTypes(types: readonly ResourceType[], condition?: VersionCondition): Promise<void> {
    if (types.length > 0) await this.#writeTogether((client) => putTypes(client, types, condition));
  }

  async deleteType(key: string, condition?: VersionCondition): Promise<boolean> {
    this.requireOpen();
    return isStorable(key) && this.#writeTogether((client) => deleteType(client, key, condition));
  }

  async feed(address: StationAddress, since?: Head, part: StationPart = 'all'): Promise<Feed> {
    this.requireOpen();
    return openFeed(this.#parts, address, { since, part });
  }

  async readParts(
    addresses: readonly StationAddress[],
    part: StationPart,
  ): Promise<readonly PartOfStation[]> {
    const { parts, catalogRevision } = await this.#read((client) =>
      runSnapshot(client, () => readParts(client, addresses, part)),
    );
    await this.#parts.questions.reachCatalog(catalogRevision);
    return parts;
  }

  history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage> {
    return this.#read((client) => runSnapshot(client, () => readHistory(client, address, query)));
  }

  resource(address: StationAddress, resourceId: string): Promise<StoredResource> {
    return this.#read((client) => readResource(client, address, resourceId));
  }

  async digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
    const { head, chunks } = await this.feed(address);
    const digest = new Digest();
    for await (const { put } of chunks) digest.addAll(put);
    return { head, digest: digest.toString() };
  }

  compactHistory(keepMs: number): Promise<void> {
    return this.write(() => this.#parts.writers.use((client) => compactHistory(client, keepMs)));
  }

  onLost(): void {
    // A database server comes back; calls are retried then.
  }

  /** Takes a connection before queueing: a queued write may hold the last connection. */
  #writeStation<T>(
    address: StationAddress,
    write: (client: ClientBase) => Promise<{ value: T; move: Move | undefined }>,
  ): Promise<T> {
    return this.write(async () => {
      const { value, move } = await this.#parts.writers.use((client) =>
        this.#queue.run(stationKey(address), () => this.#parts.answers.run(client, () => write(client))),
      );
      await this.#announce(address, move);
      return value;
    });
  }

  /** Without a question where this node knows the counts at the head. */
  async #countedStation(address: StationAddress, head: Head): Promise<Station | undefined> {
    const { known } = this.#parts;
    const counts = known.countsAt(address, head);
    if (counts !== undefined) return { address, head, counts };
    const station = await this.station(address);
    if (station) known.noteCounts(address, station.head, station.counts);
    return station;
  }

  async #finishCommit(
    address: StationAddress,
    id: number,
    commit: () => Promise<CommittedBatch>,
  ): Promise<WriteResult> {
    const { result, counts, changes } = await commit();
    const { head, created, updated, removed } = result;
    const isMoved = created + updated + removed > 0;
    await this.#announce(address, isMoved ? { id, head, counts, changes } : undefined);
    return result;
  }

  /** A write that changed nothing still waits until what it saw is announced. */
  async #announce(address: StationAddress, move: Move | undefined): Promise<void> {
    const { known, notifyNodes } = this.#parts;
    if (!move) return this.announcements.settled(address);
    const { id, head, changes, counts } = move;
    if (head) known.note({ id, address, head });
    if (head && counts) known.noteCounts(address, head, counts);
    notifyNodes(id);
    await this.announcements.announce(address, head, { changes });
  }

  /** Runs `write` in one transaction: see `runTransaction`. */
  #writeTogether<T extends NonNullable<unknown> | undefined>(
    write: (client: ClientBase) => Promise<T>,
  ): Promise<T> {
    return this.write(() => this.#parts.writers.use((client) => runTransaction(client, () => write(client))));
  }

  async #read<T>(read: (client: ClientBase) => Promise<T>): Promise<T> {
    this.requireOpen();
    const { readers, answers } = this.#parts;
    return readers.read((client) => answers.run(client, () => read(client)));
  }

  protected override release(): Promise<void> {
    return this.#parts.close();
  }
}
