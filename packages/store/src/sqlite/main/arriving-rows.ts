import { defaultLocale, labelFromKey, type ResourceType, type StationAddress } from '@roster/contract';
import type { ArrivingStation, FeedChunk } from '@roster/engine/port';
import { noteType, seenType } from '../../shared/batches.ts';
import { buffersOf, decodeResources, type EncodedResources } from '../reader/read-rendered.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';
import type { FlatRecords } from '../writer/flat-records.ts';

interface ArrivingRowsOptions {
  readonly address: StationAddress;
  /** It renders the rows. */
  readonly reader: WorkerChannel<ReaderHandlers>;
  /** The time that resources get which come without times. */
  readonly nowMs: number;
  readonly types: ReadonlyMap<string, ResourceType>;
}

/** With more chunks waiting, an import waits for the index. */
const maxWaiting = 4;

/** The records of a first import, as the resources that the writer thread makes of them. */
export class ArrivingRows implements ArrivingStation {
  readonly address: StationAddress;
  size = 0;
  readonly chunks: AsyncIterable<FeedChunk> = this.#read();
  readonly #options: ArrivingRowsOptions;
  readonly #seenTypes = new Map<string, string | undefined>();
  readonly #waiting: Promise<EncodedResources>[] = [];
  #state: 'arriving' | 'committed' | 'failed' | 'left' = 'arriving';
  #changed = Promise.withResolvers<void>();

  constructor(options: ArrivingRowsOptions) {
    this.address = options.address;
    this.#options = options;
  }

  labelOf(typeKey: string): string {
    const { labels } = this.#options.types.get(typeKey) ?? seenType(this.#seenTypes, typeKey);
    return labels[defaultLocale] ?? labelFromKey(typeKey);
  }

  /** Resolves when there is room for more. */
  async add(records: FlatRecords): Promise<void> {
    if (this.#state !== 'arriving') return;
    for (const [key, label] of records.seenTypes) noteType(this.#seenTypes, key, label);
    const rendered = this.#render(records);
    // Whoever reads the chunk sees the failure, if anyone does.
    rendered.catch(() => undefined);
    this.#waiting.push(rendered);
    this.#tell();
    while (this.#state === 'arriving' && this.#waiting.length > maxWaiting) await this.#changed.promise;
  }

  /** All records have been added and are committed. */
  complete(size: number): void {
    this.size = size;
    this.#end('committed');
  }

  /** What was added was not written, or something else. */
  fail(): void {
    this.#end('failed');
  }

  #render({ count, values, seenTypes }: FlatRecords): Promise<EncodedResources> {
    const { reader, nowMs, types } = this.#options;
    const ofTypes = new Map([...seenTypes.keys()].flatMap((key) => pair(key, types.get(key))));
    return reader.request('renderRecords', { count, values }, { nowMs, types: ofTypes });
  }

  async *#read(): AsyncGenerator<FeedChunk> {
    try {
      for (;;) {
        if (this.#state === 'failed') throw new Error('the import was not committed');
        const rendered = this.#waiting.shift();
        if (rendered !== undefined) {
          this.#tell();
          yield* this.#chunk(await rendered);
        } else if (this.#state === 'committed') return;
        else await this.#changed.promise;
      }
    } finally {
      this.#end('left');
    }
  }

  /** Its memory is freed at once: much could pile up before the next garbage collection. */
  *#chunk(rendered: EncodedResources): Generator<FeedChunk> {
    try {
      yield { put: decodeResources(rendered), removed: [] };
    } finally {
      for (const buffer of buffersOf(rendered)) if (!buffer.detached) buffer.transfer(0);
    }
  }

  #end(state: 'committed' | 'failed' | 'left'): void {
    if (this.#state === 'arriving' || state === 'left') this.#state = state;
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}

function pair<K, V>(key: K, value: V | undefined): [K, V][] {
  return value === undefined ? [] : [[key, value]];
}
