import type { StationAddress } from '@roster/contract';
import { parseStationPath } from './parse-station-path.ts';

const maxRememberedPaths = 10_000;
/** Longer than any path of a station that can exist and is not spelled out in percent-escapes. */
const maxRememberedLength = 1200;

export interface StationPath {
  readonly address: StationAddress;
  /** The same for the same path, as long as it is remembered. */
  readonly number: number;
}

/** Which station a list path names. Paths that were asked before are not parsed again. */
export class StationPaths {
  readonly #known = new Map<string, StationPath>();
  #count = 0;
  #lastPath = '';
  #last: StationPath | undefined;

  /** What the first `length` characters of `url` name; undefined when they are not a list path. */
  find(url: string, length: number): StationPath | undefined {
    const path = url.slice(0, length);
    if (path === this.#lastPath) return this.#last;
    const found = this.#known.get(path) ?? this.#parse(path);
    if (found === undefined) return undefined;
    this.#lastPath = path;
    this.#last = found;
    return found;
  }

  #parse(path: string): StationPath | undefined {
    const address = parseStationPath(path);
    if (address === undefined) return undefined;
    const parsed = { address, number: this.#count++ };
    if (path.length > maxRememberedLength) return parsed;
    if (this.#known.size >= maxRememberedPaths) this.#known.clear();
    this.#known.set(path, parsed);
    return parsed;
  }
}
