import type { ArrivingStation, FeedChunk, Head } from '../../port/store.ts';
import { TimeSlicer } from '../../scheduling/time-slicer.ts';
import { bucketOf, rowOf, segmentOf } from '../rows/segment.ts';
import { Versions } from '../rows/versions.ts';
import { Snapshot } from '../snapshot.ts';
import { emptySnapshot } from './build-snapshot.ts';
import { type ChangeSet, collectChanges } from './change-set.ts';
import { ListFiller } from './list-filler.ts';
import { orderKeyGap } from './order-keys.ts';

const rowsBetweenChecks = 512;

/** With thousands of stations, it takes milliseconds to find out how much room there is. */
const rowsBetweenQuestions = 16_384;

interface GrowingOptions {
  /** For how many more rows there is room, asked as it grows. Below 0 it is given up. */
  room(): number;
  /** Called when there is no room, or when the import failed. */
  onGivenUp(): void;
}

/**
 * The snapshot of a station that is still arriving: its rows are taken in and sorted as they come, so that little is
 * left to do after the last one.
 */
export class GrowingSnapshot {
  readonly #arriving: ArrivingStation;
  readonly #base: Snapshot;
  readonly #slicer = new TimeSlicer();
  readonly #options: GrowingOptions;
  readonly #changes: Promise<ChangeSet | undefined>;
  #rows = 0;

  constructor(arriving: ArrivingStation, options: GrowingOptions) {
    this.#arriving = arriving;
    this.#options = options;
    this.#base = emptySnapshot(noHead, (typeKey) => arriving.labelOf(typeKey));
    const feed = { head: noHead, size: 0, chunks: this.#read() };
    this.#changes = collectChanges(this.#base, feed, this.#slicer).catch(() => {
      this.#rows = 0;
      options.onGivenUp();
      return undefined;
    });
  }

  /** How many resources have arrived so far. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * The snapshot of the committed station, or undefined if it was given up. Its rows stay where they came to lie;
   * `putInOrder` moves them.
   */
  async finish(head: Head): Promise<Snapshot | undefined> {
    const changes = await this.#changes;
    const isWhole = changes?.added.length === this.#arriving.size && changes.removed.length === 0;
    return isWhole ? this.#list(changes, head) : undefined;
  }

  async *#read(): AsyncGenerator<FeedChunk> {
    let room = 0;
    for await (const chunk of this.#arriving.chunks) {
      this.#rows += chunk.put.length;
      room -= chunk.put.length;
      if (room < 0) room = Math.min(this.#options.room(), rowsBetweenQuestions);
      if (room < 0) throw new Error('there is no room for the station');
      yield chunk;
    }
  }

  async #list({ segments, added, ids }: ChangeSet, head: Head): Promise<Snapshot> {
    const { buckets, attributes } = this.#base;
    const gap = orderKeyGap(added.length);
    const rowsByBucket = new Array<number>(buckets.size).fill(0);
    for (const segment of segments) {
      for (let row = 0; row < segment.rowCount; row++) rowsByBucket[segment.buckets[row]!]!++;
    }
    const lists = new ListFiller(buckets, rowsByBucket);
    for (let at = 0; at < added.length; at++) {
      const slot = added[at]!;
      segmentOf(segments, slot).orderKeys[rowOf(slot)] = gap * (at + 1);
      lists.add(slot, buckets.at(bucketOf(segments, slot)).lists);
      if (at % rowsBetweenChecks === 0 && this.#slicer.isDue) await this.#slicer.pause();
    }
    return new Snapshot({
      head,
      segments,
      buckets,
      attributes,
      lists: await lists.finish(segments, this.#slicer),
      ids: ids.finish(),
      versions: Versions.none,
      changedRows: Number.POSITIVE_INFINITY,
    });
  }
}

/** Of the empty snapshot that it grows from, which nobody sees. */
const noHead: Head = { epoch: '', number: 0, revId: '' };
