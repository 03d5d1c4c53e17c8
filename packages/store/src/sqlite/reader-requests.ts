import type { StationAddress } from '@roster/contract';
import type { Head, StoredToken } from '@roster/engine';
import type { EncodedHistoryPage, HistoryRequest } from './read-history.ts';
import type { EncodedResources } from './read-packed.ts';
import type { EncodedResource, ResourceRequest } from './read-resource.ts';

/** As in `ChangeFeed`, with the number that its parts are asked for by. */
export interface OpenedFeed {
  readonly feed: number;
  readonly head: Head;
  readonly expectedSize: number;
}

/** A part of a feed on its way between threads. */
export interface EncodedPart {
  /** Undefined in a part of removals. */
  readonly put: EncodedResources | undefined;
  readonly removed: readonly string[];
  /** No part follows, and the feed is closed. */
  readonly last: boolean;
}

/** What the main thread may ask of the reader thread. */
export type ReaderRequests = {
  openFeed: {
    input: { address: StationAddress; since: Head | undefined };
    output: OpenedFeed;
  };
  nextPart: { input: number; output: EncodedPart };
  closeFeed: { input: number; output: undefined };
  history: { input: HistoryRequest; output: EncodedHistoryPage };
  resource: { input: ResourceRequest; output: EncodedResource };
  tokens: { input: undefined; output: readonly StoredToken[] };
  digest: { input: StationAddress; output: { head: Head; digest: string } };
  close: { input: undefined; output: undefined };
};
