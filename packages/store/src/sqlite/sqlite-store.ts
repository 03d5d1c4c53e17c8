import { type ResourceType, RosterError, type StationAddress } from '@roster/contract';
import type { Batch, BeforeVisible, ChangeFeed, Head, Store, TypeCatalog, WriteResult } from '@roster/engine';
import type { CommittedBatch } from './commit-batch.ts';
import { FeedParts } from './feed-parts.ts';
import type { ReaderRequests } from './reader-requests.ts';
import { SqliteBatch } from './sqlite-batch.ts';
import type { CatalogChange } from './type-catalog.ts';
import type { VisibleHeads } from './visible-heads.ts';
import type { WorkerChannel } from './worker-channel.ts';
import type { WriterRequests } from './writer-requests.ts';

export interface SqliteStoreParts {
  readonly writer: WorkerChannel<WriterRequests>;
  readonly reader: WorkerChannel<ReaderRequests>;
  readonly heads: VisibleHeads;
  readonly catalog: TypeCatalog;
  releaseDirectory(): void;
}

/**
 * The main thread's side of the store. It answers from memory what is asked on every request, which it may
 * because the directory's lock makes this process the only writer.
 */
export class SqliteStore implements Store {
  readonly #parts: SqliteStoreParts;
  readonly #writes = new Set<Promise<unknown>>();
  #catalog: TypeCatalog;
  #closed: Promise<void> | undefined;

  constructor(parts: SqliteStoreParts) {
    this.#parts = parts;
    this.#catalog = parts.catalog;
  }

  head(address: StationAddress): Head | undefined {
    return this.#parts.heads.get(address);
  }

  stations(): StationAddress[] {
    return this.#parts.heads.stations();
  }

  catalog(): TypeCatalog {
    return this.#catalog;
  }

  createStation(address: StationAddress): Promise<{ created: boolean; head: Head }> {
    return this.#write(async () => {
      const { created, head } = await this.#parts.writer.request('createStation', address);
      if (created) await this.#parts.heads.publish(address, head);
      else await this.#parts.heads.settled(address);
      return { created, head };
    });
  }

  deleteStation(address: StationAddress): Promise<boolean> {
    return this.#write(async () => {
      const deleted = await this.#parts.writer.request('deleteStation', address);
      if (deleted) await this.#parts.heads.publish(address, undefined);
      else await this.#parts.heads.settled(address);
      return deleted;
    });
  }

  async openBatch(address: StationAddress): Promise<Batch> {
    this.#requireOpen();
    const id = await this.#parts.writer.request('openBatch', address);
    return new SqliteBatch(this.#parts.writer, id, (commit) => this.#runCommit(address, commit));
  }

  removeResource(address: StationAddress, resourceId: string): Promise<WriteResult> {
    return this.#write(async () => {
      const result = await this.#parts.writer.request('removeResource', { address, resourceId });
      await this.#parts.heads.publish(address, result.head);
      return result;
    });
  }

  putTypes(types: readonly ResourceType[]): Promise<void> {
    return this.#write(async () => {
      if (types.length > 0) this.#applyToCatalog(await this.#parts.writer.request('putTypes', types));
    });
  }

  async changes(address: StationAddress, since?: Head): Promise<ChangeFeed> {
    this.#requireOpen();
    const { feed, head } = await this.#parts.reader.request('openFeed', { address, since });
    return { head, parts: new FeedParts(this.#parts.reader, feed) };
  }

  async digest(address: StationAddress): Promise<{ head: Head; digest: string }> {
    this.#requireOpen();
    return this.#parts.reader.request('digest', address);
  }

  compact(keepMs: number): Promise<void> {
    return this.#write(() => this.#parts.writer.request('compact', keepMs));
  }

  onBeforeVisible(hook: BeforeVisible): void {
    this.#parts.heads.hook = hook;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #runCommit(address: StationAddress, commit: () => Promise<CommittedBatch>): Promise<WriteResult> {
    return this.#write(async () => {
      const { result, catalog } = await commit();
      // Types come first: a list at the new head must find the labels of all its types.
      if (catalog) this.#applyToCatalog(catalog);
      if (result.created + result.updated > 0) await this.#parts.heads.publish(address, result.head);
      else await this.#parts.heads.settled(address);
      return result;
    });
  }

  #applyToCatalog({ revision, types }: CatalogChange): void {
    const merged = new Map(this.#catalog.types);
    for (const type of types) merged.set(type.key, type);
    this.#catalog = { revision, types: merged };
  }

  async #write<T>(write: () => Promise<T>): Promise<T> {
    this.#requireOpen();
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
    await this.#parts.reader.close();
    await this.#parts.writer.close();
    this.#parts.releaseDirectory();
  }

  #requireOpen(): void {
    if (this.#closed) throw new RosterError('store_unavailable', 'the store is closed');
  }
}
