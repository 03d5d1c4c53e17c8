import { dirname } from 'node:path';
import {
  dataDamaged,
  type ResourceType,
  type Revision,
  RosterError,
  type StationAddress,
  stationKey,
  stationNotFound,
  type VersionCondition,
} from '@roster/contract';
import {
  type Batch,
  type BatchOptions,
  type Feed,
  type Head,
  type HistoryPage,
  type HistoryQuery,
  type Lost,
  type NoteStore,
  type PartOfStation,
  type Station,
  type StationPage,
  type StationPart,
  type StationQuery,
  type Store,
  type StoredResource,
  type StoredToken,
  type TokenStore,
  type TrendStore,
  type TypeCatalog,
  tokenOwner,
  type ViewStore,
  type WriteCondition,
  type WriteOptions,
  type WriteResult,
} from '@roster/engine/port';
import { BaseStore } from '../../shared/base-store.ts';
import { type DirectWrite, maxDirectRecords } from '../../shared/direct/direct-write.ts';
import {
  type Committed,
  type Durable,
  type Outcome,
  SharedCommits,
} from '../../shared/direct/shared-commits.ts';
import { decodePage } from '../../shared/history.ts';
import { joinChanges } from '../../shared/station-changes.ts';
import { toPart } from '../../shared/station-parts.ts';
import { noCounts } from '../../shared/stations.ts';
import { requireRevision } from '../../shared/store-errors.ts';
import { hoursBetween, toHours } from '../../shared/trends.ts';
import { parseResource } from '../database/resource-columns.ts';
import { translateError } from '../database/translate-error.ts';
import type { CatalogChange } from '../database/type-catalog.ts';
import type { DatabaseFiles } from '../directory/database-files.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import { decodeError, type Output } from '../threads/answer-requests.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';
import type { EarlyDefaults } from '../writer/commit-batch.ts';
import type { WrittenDirectly } from '../writer/shared-commit.ts';
import type { TokenWrite, WriterHandlers } from '../writer/writer-thread.ts';
import { ArrivingRows } from './arriving-rows.ts';
import { ChangesAhead, RecordMemory } from './changes-ahead.ts';
import type { KnownViews } from './known-views.ts';
import { readFeed } from './read-feed.ts';
import { type KnownBatch, SqliteBatch } from './sqlite-batch.ts';
import type { VisibleStations } from './visible-stations.ts';

export interface SqliteStoreParts {
  readonly writer: WorkerChannel<WriterHandlers>;
  readonly reader: WorkerChannel<ReaderHandlers>;
  readonly stations: VisibleStations;
  readonly catalog: TypeCatalog;
  readonly tokens: readonly StoredToken[];
  readonly views: KnownViews;
  /** From this many records on, the first import of a station is written while it arrives. */
  readonly earlyFrom: number;
  readonly readOnly: boolean;
  readonly files: DatabaseFiles;
  /** Called last. `inOrder`: everything written is in the database files. */
  release(inOrder: boolean): void;
}

interface StationWrites {
  readonly address: StationAddress;
  readonly all: WrittenDirectly[];
}

/** Writes check the files at once; this is for idle times. */
const checkFilesEveryMs = 1_000;

/**
 * The main thread's side of the store. It answers the most frequent calls from memory, because the directory
 * lock makes this process the only writer.
 */
export class SqliteStore extends BaseStore implements Store {
  readonly tokens: TokenStore = {
    list: async () => {
      this.requireOpen();
      return this.#tokens;
    },
    add: (token) => this.#writeTokens(() => this.#ask('addToken', token)),
    addFirst: (token) => this.#writeTokens(() => this.#ask('addFirstToken', token)),
    remove: async (id, { cascade = false } = {}) => {
      const removed = await this.#writeTokens(() => this.#ask('removeToken', id, cascade));
      for (const each of removed) this.#parts.views.removeOwner(tokenOwner(each));
      return removed;
    },
    recordUses: (uses) => this.#writeTokens(() => this.#ask('recordTokenUses', uses)),
  };

  readonly views: ViewStore = {
    list: async (owners) => {
      this.requireOpen();
      return this.#parts.views.list(owners);
    },
    get: async (owner, name) => {
      this.requireOpen();
      return this.#parts.views.get(owner, name);
    },
    put: (view, condition) =>
      this.write(async () => {
        const isNew = await this.#ask('putView', view, condition);
        this.#parts.views.put(view);
        return isNew;
      }),
    remove: (owner, name, condition) =>
      this.write(async () => {
        const wasThere = await this.#ask('removeView', { owner, name }, condition);
        this.#parts.views.remove(owner, name);
        return wasThere;
      }),
  };

  readonly notes: NoteStore = {
    isShared: false,
    versions: (prefix) => this.#read('noteVersions', prefix),
    read: (key) => this.#read('readNote', key),
    write: (key, body, ifVersion) => this.write(() => this.#ask('writeNote', key, body, ifVersion)),
    remove: (keys) => this.write(() => this.#ask('removeNotes', keys)),
  };

  readonly trends: TrendStore = {
    sample: (atMs, apartMs) => this.write(() => this.#ask('sampleTrends', atMs, apartMs)),
    read: async (address, fromMs, toMs) => {
      const hours = hoursBetween(fromMs, toMs);
      return toHours(await this.#read('trends', address, hours), hours);
    },
    add: (address, hours) => this.write(() => this.#ask('addTrends', address, hours)),
    forget: (untilMs) =>
      this.write(async () => {
        while (await this.#ask('forgetTrends', untilMs));
      }),
  };

  readonly #parts: SqliteStoreParts;
  readonly #commits = new SharedCommits((writes) => this.#commitTogether(writes));
  readonly #recordMemory = new RecordMemory();
  #catalog: TypeCatalog;
  #tokens: readonly StoredToken[];
  /** Why the store is unusable until the process is restarted. */
  #lost: RosterError | undefined;
  #onLost: Lost | undefined;
  readonly #fileCheck: NodeJS.Timeout;

  constructor(parts: SqliteStoreParts) {
    super(parts.stations.announcements, parts.readOnly);
    this.#parts = parts;
    this.#catalog = parts.catalog;
    this.#tokens = parts.tokens;
    this.#fileCheck = setInterval(() => this.#lookAtFiles(), checkFilesEveryMs).unref();
  }

  head(address: StationAddress): Head | undefined {
    if (this.#lost !== undefined) throw this.#lost;
    return this.#parts.stations.get(address)?.head;
  }

  station(address: StationAddress): Station | undefined {
    this.requireOpen();
    return this.#parts.stations.get(address);
  }

  stations(query: StationQuery): StationPage {
    this.requireOpen();
    return this.#parts.stations.select(query);
  }

  allStations(): readonly Station[] {
    this.requireOpen();
    return this.#parts.stations.all();
  }

  catalog(): TypeCatalog {
    this.requireOpen();
    return this.#catalog;
  }

  knownCatalog(): TypeCatalog {
    return this.#catalog;
  }

  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }> {
    return this.write(async () => {
      const { created, head } = await this.#ask('createStation', address);
      if (created) await this.#parts.stations.publish(address, { head, counts: noCounts });
      else await this.announcements.settled(address);
      return { created, head };
    });
  }

  deleteStation(address: StationAddress, { ifRevision }: WriteCondition = {}): Promise<boolean> {
    return this.write(async () => {
      const { deleted, hasDamagedStations } = await this.#ask('deleteStation', address, ifRevision);
      this.#parts.stations.hasDamaged = hasDamagedStations ?? this.#parts.stations.hasDamaged;
      if (deleted) await this.#parts.stations.publish(address, undefined);
      else await this.announcements.settled(address);
      return deleted;
    });
  }

  async openBatch(address: StationAddress, options: BatchOptions = {}): Promise<Batch> {
    this.requireWritable();
    const station = await this.#requireAt(address, options.ifRevision);
    const { writer, earlyFrom } = this.#parts;
    return new SqliteBatch({
      writer,
      station,
      options,
      maxDirect: Math.min(maxDirectRecords, earlyFrom - 1),
      earlyFrom,
      beginArrival: (defaults) => this.#beginArrival(address, defaults),
      prepareChanges: () => this.#prepareChanges(address),
      runCommit: (commit) => this.#runCommit(address, commit),
      writeDirectly: (write) => this.#writeDirectly(write),
    });
  }

  removeResource(
    address: StationAddress,
    resourceId: string,
    { ifRevision, changedBy }: WriteOptions = {},
  ): Promise<WriteResult> {
    const removal = { mode: 'merge', records: [], removed: resourceId } as const;
    return this.#writeDirectly({ address, ifRevision, changedBy, ...removal });
  }

  putTypes(types: readonly ResourceType[], condition?: VersionCondition): Promise<void> {
    return this.write(async () => {
      if (types.length === 0) return;
      this.#applyToCatalog(await this.#ask('putTypes', types, condition));
    });
  }

  deleteType(key: string, condition?: VersionCondition): Promise<boolean> {
    return this.write(async () => {
      const change = await this.#ask('deleteType', key, condition);
      if (change) this.#applyToCatalog(change);
      return change !== undefined;
    });
  }

  async feed(address: StationAddress, since?: Head, part: StationPart = 'all'): Promise<Feed> {
    const { feed, head, size } = await this.#read('openFeed', address, since, part);
    return { head, size, chunks: readFeed(this.#parts.reader, feed) };
  }

  async readParts(
    addresses: readonly StationAddress[],
    part: StationPart,
  ): Promise<readonly PartOfStation[]> {
    const parts = await this.#read('readParts', addresses, part);
    return parts.map(({ rows, ...about }) => toPart({ ...about, rows: JSON.parse(rows) }));
  }

  async history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage> {
    return decodePage(await this.#read('history', address, query), parseResource);
  }

  async resource(address: StationAddress, resourceId: string): Promise<StoredResource> {
    const found = await this.#read('resource', address, resourceId);
    const { epoch, revision, changedAtMs, changedBy, resource } = found;
    return {
      resource: parseResource(resource),
      revision: { epoch, number: revision },
      changedAtMs,
      changedBy: changedBy ?? undefined,
    };
  }

  digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
    return this.#read('digest', address);
  }

  compactHistory(keepMs: number): Promise<void> {
    const untilMs = Date.now() - keepMs;
    return this.write(async () => {
      while (await this.#ask('compactHistory', untilMs));
    });
  }

  onLost(listener: Lost): void {
    this.#onLost = listener;
  }

  #runCommit(address: StationAddress, commit: () => Promise<KnownBatch>): Promise<WriteResult> {
    return this.write(async () => {
      const { result, counts, catalog, feed, arrived } = await this.#inPlace(commit());
      // Types come first: a list at the new head must find the labels of all its types.
      if (catalog) this.#applyToCatalog(catalog);
      const { head, created, updated, removed } = result;
      const isChanged = created + updated + removed > 0;
      if (isChanged) await this.#parts.stations.publish(address, { head, counts }, { feed, arrived });
      else await this.announcements.settled(address);
      return result;
    });
  }

  /** Only with the same types as the writer thread, here are the same defaults. */
  #beginArrival(
    address: StationAddress,
    { nowMs, catalogRevision }: EarlyDefaults,
  ): ArrivingRows | undefined {
    const { revision, types, isDamaged } = this.#catalog;
    if (!this.stationArriving || revision !== catalogRevision || isDamaged) return undefined;
    const arriving = new ArrivingRows({ address, nowMs, types, reader: this.#parts.reader });
    this.stationArriving(arriving);
    return arriving;
  }

  #prepareChanges(address: StationAddress): ChangesAhead | undefined {
    if (!this.isFollowed(address)) return undefined;
    return new ChangesAhead({ address, reader: this.#parts.reader, memory: this.#recordMemory });
  }

  /** The station; throws as `openBatch` does. What is under way to this station may bring it to the wanted revision. */
  async #requireAt(address: StationAddress, ifRevision: Revision | undefined): Promise<Station> {
    if (ifRevision !== undefined) await this.announcements.settled(address);
    const station = this.#parts.stations.get(address);
    if (station === undefined) throw stationNotFound(address);
    requireRevision(station.head, ifRevision);
    return station;
  }

  #writeDirectly(write: DirectWrite): Promise<WriteResult> {
    return this.write(async () => {
      const { result, published } = await this.#commits.add(write);
      await published;
      return result;
    });
  }

  async #commitTogether(writes: readonly DirectWrite[]): Promise<Durable<Committed<WriteResult>>> {
    const { outcomes, tookMs } = await this.#ask('writeTogether', writes);
    return { publish: () => this.#publishAll(writes, outcomes), tookMs };
  }

  #publishAll(
    writes: readonly DirectWrite[],
    outcomes: Output<WriterHandlers['writeTogether']>['outcomes'],
  ): readonly Outcome<Committed<WriteResult>>[] {
    const byStation = new Map<string, StationWrites>();
    for (const [at, outcome] of outcomes.entries()) {
      if ('error' in outcome) continue;
      const { address } = writes[at]!;
      const { written } = outcome;
      if (written.catalog) this.#applyToCatalog(written.catalog);
      byStation.getOrInsertComputed(stationKey(address), () => ({ address, all: [] })).all.push(written);
    }
    const published = new Map([...byStation].map(([key, each]) => [key, this.#publishTogether(each)]));
    return outcomes.map((outcome, at) => {
      if ('error' in outcome) return { error: decodeError(outcome.error) };
      const { result } = outcome.written;
      return { value: { result, published: published.get(stationKey(writes[at]!.address))! } };
    });
  }

  #publishTogether({ address, all }: StationWrites): Promise<void> {
    const moves = all.filter(({ result, changes }) => result.head.number !== changes.since.number);
    const last = moves.at(-1);
    if (last === undefined) return this.announcements.settled(address);
    const { result, counts } = last;
    const changes = joinChanges(moves.map((move) => move.changes));
    return this.#parts.stations.publish(address, { head: result.head, counts }, { changes });
  }

  #applyToCatalog({ revision, types, deleted, isDamaged }: CatalogChange): void {
    const changed = new Map(this.#catalog.types);
    for (const type of types) changed.set(type.key, type);
    for (const key of deleted) changed.delete(key);
    this.#catalog = { revision, types: changed, isDamaged };
  }

  #writeTokens<T>(write: () => Promise<TokenWrite<T>>): Promise<T> {
    return this.write(async () => {
      const { result, tokens } = await write();
      this.#tokens = tokens;
      return result;
    });
  }

  #ask<K extends keyof WriterHandlers>(
    kind: K,
    ...input: Parameters<WriterHandlers[K]>
  ): Promise<Output<WriterHandlers[K]>> {
    return this.#inPlace(this.#parts.writer.request(kind, ...input));
  }

  async #read<K extends keyof ReaderHandlers>(
    kind: K,
    ...input: Parameters<ReaderHandlers[K]>
  ): Promise<Output<ReaderHandlers[K]>> {
    this.requireOpen();
    try {
      return await this.#inPlace(this.#parts.reader.request(kind, ...input));
    } catch (error) {
      const isUnfound = error instanceof RosterError && error.code === 'station_not_found';
      throw isUnfound && this.#parts.stations.hasDamaged ? dataDamaged('the station', error) : error;
    }
  }

  /** A thread's answer only counts if the files it used are still in place. */
  async #inPlace<T>(answer: Promise<T>): Promise<T> {
    const [settled] = await Promise.allSettled([answer]);
    this.#requireInPlace();
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  #lookAtFiles(): void {
    try {
      this.#requireInPlace();
    } catch {
      // The next call reports it.
    }
  }

  #requireInPlace(): void {
    if (this.#lost) throw this.#lost;
    const { files } = this.#parts;
    try {
      files.requireInPlace();
    } catch (error) {
      const failure = translateError(error, dirname(files.file));
      if (failure.code === 'database_replaced') {
        this.#lost = failure;
        this.#onLost?.(failure);
      }
      throw failure;
    }
  }

  protected override async release(): Promise<void> {
    clearInterval(this.#fileCheck);
    const { reader, writer, readOnly, release } = this.#parts;
    await reader.close();
    await (readOnly ? writer.terminate() : writer.close());
    release(!readOnly && this.#lost === undefined);
  }

  protected override requireOpen(): void {
    super.requireOpen();
    if (this.#lost) throw this.#lost;
  }
}
