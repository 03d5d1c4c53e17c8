import type { ResourceType, StationAddress, TypeCondition } from '@roster/contract';
import type {
  Batch,
  BatchOptions,
  BeforeVisible,
  ChangeFeed,
  Head,
  HeadMoved,
  HistoryPage,
  HistoryQuery,
  Station,
  StationPage,
  StationQuery,
  Store,
  StoredResource,
  TokenStore,
  TypeCatalog,
  WriteCondition,
  WriteResult,
} from '@roster/engine';
import { noCounts } from '../shared/add-tallies.ts';
import { onlyForReading, storeClosed } from '../shared/store-errors.ts';
import type { CommittedBatch } from './commit-batch.ts';
import { decodeHistoryPage } from './decode-history-page.ts';
import { FeedParts } from './feed-parts.ts';
import type { ReaderRequests } from './reader-requests.ts';
import { parseResource } from './resources-as-json.ts';
import { SqliteBatch } from './sqlite-batch.ts';
import type { CatalogChange } from './type-catalog.ts';
import type { VisibleStations } from './visible-stations.ts';
import type { WorkerChannel } from './worker-channel.ts';
import type { WriterRequests } from './writer-requests.ts';

export interface SqliteStoreParts {
  readonly writer: WorkerChannel<WriterRequests>;
  readonly reader: WorkerChannel<ReaderRequests>;
  readonly stations: VisibleStations;
  readonly catalog: TypeCatalog;
  readonly readOnly: boolean;
  releaseDirectory(): void;
}

/**
 * The main thread's side of the store. It answers from memory what is asked on every request, which it may
 * because the directory's lock makes this process the only writer.
 */
export class SqliteStore implements Store {
  readonly tokens: TokenStore = {
    list: async () => {
      this.#requireOpen();
      return this.#parts.reader.request('tokens', undefined);
    },
    add: (token) => this.#write(() => this.#parts.writer.request('addToken', token)),
    addFirst: (token) => this.#write(() => this.#parts.writer.request('addFirstToken', token)),
    remove: (id) => this.#write(() => this.#parts.writer.request('removeToken', id)),
    recordUses: (uses) => this.#write(() => this.#parts.writer.request('recordTokenUses', uses)),
  };

  readonly #parts: SqliteStoreParts;
  readonly #writes = new Set<Promise<unknown>>();
  #catalog: TypeCatalog;
  #closed: Promise<void> | undefined;

  constructor(parts: SqliteStoreParts) {
    this.#parts = parts;
    this.#catalog = parts.catalog;
  }

  head(address: StationAddress): Head | undefined {
    return this.#parts.stations.get(address)?.head;
  }

  station(address: StationAddress): Station | undefined {
    return this.#parts.stations.get(address);
  }

  stations(query: StationQuery): StationPage {
    return this.#parts.stations.select(query);
  }

  catalog(): TypeCatalog {
    return this.#catalog;
  }

  knownCatalog(): TypeCatalog {
    return this.#catalog;
  }

  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }> {
    return this.#write(async () => {
      const { created, head } = await this.#parts.writer.request('createStation', address);
      if (created) await this.#parts.stations.publish(address, { head, counts: noCounts });
      else await this.#parts.stations.settled(address);
      return { created, head };
    });
  }

  deleteStation(address: StationAddress, { ifRevision }: WriteCondition = {}): Promise<boolean> {
    return this.#write(async () => {
      const deleted = await this.#parts.writer.request('deleteStation', { address, ifRevision });
      if (deleted) await this.#parts.stations.publish(address, undefined);
      else await this.#parts.stations.settled(address);
      return deleted;
    });
  }

  async openBatch(address: StationAddress, options: BatchOptions = {}): Promise<Batch> {
    this.#requireWritable();
    const { writer } = this.#parts;
    const id = await writer.request('openBatch', { address, options });
    const allowRemoval = options.allowRemoval ?? 'half';
    const runCommit = (commit: () => Promise<CommittedBatch>) => this.#runCommit(address, commit);
    return new SqliteBatch({ writer, id, allowRemoval, runCommit });
  }

  removeResource(
    address: StationAddress,
    resourceId: string,
    { ifRevision }: WriteCondition = {},
  ): Promise<WriteResult> {
    return this.#write(async () => {
      const removal = { address, resourceId, ifRevision };
      const { result, counts } = await this.#parts.writer.request('removeResource', removal);
      await this.#parts.stations.publish(address, { head: result.head, counts });
      return result;
    });
  }

  putTypes(types: readonly ResourceType[], condition?: TypeCondition): Promise<void> {
    return this.#write(async () => {
      if (types.length === 0) return;
      this.#applyToCatalog(await this.#parts.writer.request('putTypes', { types, condition }));
    });
  }

  deleteType(key: string, condition?: TypeCondition): Promise<boolean> {
    return this.#write(async () => {
      const change = await this.#parts.writer.request('deleteType', { key, condition });
      if (change) this.#applyToCatalog(change);
      return change !== undefined;
    });
  }

  async changes(address: StationAddress, since?: Head): Promise<ChangeFeed> {
    this.#requireOpen();
    const { feed, head, expectedSize } = await this.#parts.reader.request('openFeed', { address, since });
    return { head, expectedSize, parts: new FeedParts(this.#parts.reader, feed) };
  }

  async history(address: StationAddress, query: HistoryQuery): Promise<HistoryPage> {
    this.#requireOpen();
    return decodeHistoryPage(await this.#parts.reader.request('history', { address, query }));
  }

  async resource(address: StationAddress, resourceId: string): Promise<StoredResource> {
    this.#requireOpen();
    const found = await this.#parts.reader.request('resource', { address, resourceId });
    const { epoch, revision, changedAtMs, resource } = found;
    return { resource: parseResource(resource), revision: { epoch, number: revision }, changedAtMs };
  }

  async digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
    this.#requireOpen();
    return this.#parts.reader.request('digest', address);
  }

  compact(keepMs: number): Promise<void> {
    const untilMs = Date.now() - keepMs;
    return this.#write(async () => {
      while (await this.#parts.writer.request('compact', untilMs));
    });
  }

  onBeforeVisible(hook: BeforeVisible): void {
    this.#parts.stations.hook = hook;
  }

  onHeadMoved(listener: HeadMoved): void {
    this.#parts.stations.listener = listener;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #runCommit(address: StationAddress, commit: () => Promise<CommittedBatch>): Promise<WriteResult> {
    return this.#write(async () => {
      const { result, counts, catalog } = await commit();
      // Types come first: a list at the new head must find the labels of all its types.
      if (catalog) this.#applyToCatalog(catalog);
      const { head, created, updated, removed } = result;
      if (created + updated + removed > 0) await this.#parts.stations.publish(address, { head, counts });
      else await this.#parts.stations.settled(address);
      return result;
    });
  }

  #applyToCatalog({ revision, types, deleted }: CatalogChange): void {
    const changed = new Map(this.#catalog.types);
    for (const type of types) changed.set(type.key, type);
    for (const key of deleted) changed.delete(key);
    this.#catalog = { revision, types: changed };
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
    const { reader, writer, readOnly, releaseDirectory } = this.#parts;
    await reader.close();
    // A writer that closes in order leaves a mark in the data.
    await (readOnly ? writer.terminate() : writer.close());
    releaseDirectory();
  }

  #requireWritable(): void {
    this.#requireOpen();
    if (this.#parts.readOnly) throw onlyForReading();
  }

  #requireOpen(): void {
    if (this.#closed) throw storeClosed();
  }
}
