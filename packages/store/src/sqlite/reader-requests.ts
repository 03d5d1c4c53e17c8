import type { StationAddress } from '@roster/contract';
import type { Head } from '@roster/engine';

/** A part of a feed on its way between threads. `resources` are JSON: see `resourceAsJson`. */
export interface EncodedPart {
  readonly resources: readonly string[];
  readonly removed: readonly string[];
  /** No part follows, and the feed is closed. */
  readonly last: boolean;
}

/** What the main thread may ask of the reader thread. */
export type ReaderRequests = {
  openFeed: {
    input: { address: StationAddress; since: Head | undefined };
    output: { feed: number; head: Head };
  };
  nextPart: { input: number; output: EncodedPart };
  closeFeed: { input: number; output: undefined };
  digest: { input: StationAddress; output: { head: Head; digest: string } };
  close: { input: undefined; output: undefined };
};
