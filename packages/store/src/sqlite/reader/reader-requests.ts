import type { StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';
import type { EncodedHistoryPage, HistoryRequest } from './read-history.ts';
import type { EncodedResources } from './read-rendered.ts';
import type { EncodedResource, ResourceRequest } from './read-resource.ts';

/** As in `Feed`, with the number that identifies it. */
export interface OpenedFeed {
  readonly feed: number;
  readonly head: Head;
  readonly size: number;
}

/** A chunk of a feed as sent between threads. */
export interface EncodedChunk {
  /** Undefined in a chunk of removals. */
  readonly put: EncodedResources | undefined;
  readonly removed: readonly string[];
  /** The last chunk; the feed is closed. */
  readonly last: boolean;
}

/** Requests of the main thread to the reader thread. */
export type ReaderRequests = {
  openFeed: {
    input: { address: StationAddress; since: Head | undefined };
    output: OpenedFeed;
  };
  nextChunk: { input: number; output: EncodedChunk };
  closeFeed: { input: number; output: undefined };
  history: { input: HistoryRequest; output: EncodedHistoryPage };
  resource: { input: ResourceRequest; output: EncodedResource };
  digest: { input: StationAddress; output: { head: Head; digest: string } };
  close: { input: undefined; output: undefined };
};
