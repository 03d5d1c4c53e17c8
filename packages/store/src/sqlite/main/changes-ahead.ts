import type { StationAddress } from '@roster/contract';
import type { FeedChunk, Head, KnownFeed } from '@roster/engine/port';
import { decodeResources, type EncodedResources } from '../reader/read-rendered.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';
import type { BegunCommit, CommittedBatch } from '../writer/commit-batch.ts';
import type { FlatRows } from '../writer/flat-records.ts';

/** How much text of records the batches of a store may keep together. Rendered, it takes about twice as much. */
export class RecordMemory {
  #free: number;

  constructor(length = 32 * 1024 * 1024) {
    this.#free = length;
  }

  /** Returns whether there was room. */
  take(length: number): boolean {
    if (length > this.#free) return false;
    this.#free -= length;
    return true;
  }

  giveBack(length: number): void {
    this.#free += length;
  }
}

interface ChangesAheadOptions {
  readonly address: StationAddress;
  readonly reader: WorkerChannel<ReaderHandlers>;
  readonly memory: RecordMemory;
}

interface Rendered {
  readonly since: Head;
  readonly parts: readonly EncodedResources[];
}

/** While the reader thread renders one, the next one waits for it. */
const requestsAtOnce = 2;

/** What a batch changes, rendered while the writer thread writes it: the index need not wait until it is read back. */
export class ChangesAhead {
  readonly #options: ChangesAheadOptions;
  #kept: FlatRows[] = [];
  #keptLength = 0;
  #rendered: Promise<Rendered | undefined> | undefined;
  #isOver = false;

  constructor(options: ChangesAheadOptions) {
    this.#options = options;
  }

  /** Call it for all records. */
  add(rows: FlatRows): void {
    const { length } = rows.values;
    if (this.#isOver) return;
    if (this.#options.memory.take(length)) {
      this.#keptLength += length;
      this.#kept.push(rows);
    } else this.end();
  }

  /** The writer thread has all records, and begins to write them. */
  begin(begun: BegunCommit): void {
    this.#rendered ??= this.#render(begun).catch(() => undefined);
  }

  /** Resolves to undefined unless everything that the batch changed has been rendered. Ends this, and never rejects. */
  async feed(committed: CommittedBatch): Promise<KnownFeed | undefined> {
    try {
      return await this.#feed(committed);
    } finally {
      this.end();
    }
  }

  end(): void {
    this.#isOver = true;
    this.#kept = [];
    this.#options.memory.giveBack(this.#keptLength);
    this.#keptLength = 0;
  }

  async #feed({ result, counts }: CommittedBatch): Promise<KnownFeed | undefined> {
    const { head, created, updated, removed } = result;
    // Of these, the rest need not be rendered.
    if (created + updated === 0 || removed > 0) return undefined;
    const rendered = await this.#rendered;
    if (rendered === undefined) return undefined;
    const { since, parts } = rendered;
    const count = parts.reduce((sum, { kindOf }) => sum + kindOf.length, 0);
    if (count !== created + updated) return undefined;
    async function* read(): AsyncGenerator<FeedChunk> {
      for (const part of parts) yield { put: decodeResources(part), removed: [] };
    }
    return { since, head, size: counts.resources, chunks: { [Symbol.asyncIterator]: read } };
  }

  /** Undefined if the writer thread is done with its work before this is. */
  async #render({ since: { epoch, number }, nowMs }: BegunCommit): Promise<Rendered | undefined> {
    const { address, reader } = this.#options;
    const kept = this.#kept[Symbol.iterator]();
    const parts: EncodedResources[] = [];
    let since: Head | undefined;
    const renderNext = async () => {
      for (const rows of kept) {
        if (this.#isOver) return;
        const part = await reader.request('renderMerged', { address, since: { epoch, number }, rows, nowMs });
        if (part === undefined) return this.end();
        ({ since } = part);
        parts.push(part.put);
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, renderNext));
    return since && !this.#isOver ? { since, parts } : undefined;
  }
}
