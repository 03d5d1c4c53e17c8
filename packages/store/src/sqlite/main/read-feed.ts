import { RenderedResources } from '@roster/engine/port';
import { FeedChunks } from '../../shared/feed-chunks.ts';
import { buffersOf, decodeResources } from '../reader/read-rendered.ts';
import type { ReaderHandlers } from '../reader/reader-thread.ts';
import type { WorkerChannel } from '../threads/worker-channel.ts';

/** The chunks of a feed that the reader thread has opened. */
export function readFeed(reader: WorkerChannel<ReaderHandlers>, feed: number): FeedChunks {
  let isOver = false;
  return new FeedChunks({
    async next() {
      if (isOver) return undefined;
      const { put, removed, last } = await reader.request('nextChunk', feed);
      isOver = last;
      return { put: put ? decodeResources(put) : RenderedResources.of([]), removed };
    },
    /** Frees a chunk now: many could pile up before the next garbage collection. */
    release({ put }) {
      for (const buffer of buffersOf(put.columns)) if (!buffer.detached) buffer.transfer(0);
    },
    async close() {
      if (!isOver) await reader.request('closeFeed', feed).catch(() => undefined);
    },
  });
}
